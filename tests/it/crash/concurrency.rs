//! Many processes at once on the same books: nothing lost, nothing twice, every reader sees balanced books that only grow.

use std::{
    collections::BTreeSet,
    process::Stdio,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Instant,
};

use serde_json::{Map, Value, json};

use super::{
    acks::Ask,
    ground::{self, Ground},
    say,
    writer::{self, Order, Started},
};

const WRITERS: u32 = 8;
/// Of these, so many make each call by a `wb` process of its own.
const THROUGH_WB: u32 = 2;
const POSTS: u32 = 100;

/// Eight processes that post a hundred entries each, beside two readers and a verifier: 800 entries, all there, each once;
/// readers see balanced entries and a sequence that never falls; no verification finds anything.
#[test]
fn eight_writers() {
    let ground = Ground::new();
    let start = Instant::now();
    let mut writers: Vec<Started> = (0..WRITERS)
        .map(|k| {
            let order = Order {
                who: format!("w{k}"),
                seed: u64::from(k) + 1,
                turns: Some(2 * POSTS),
                posts_only: true,
                through_wb: k < THROUGH_WB,
            };
            writer::start(&ground, &order, None)
        })
        .collect();
    let over = AtomicBool::new(false);
    let (answers, counts) = thread::scope(|scope| {
        let _end = Over(&over);
        let by_library = scope.spawn(|| read_by_library(&ground, &over));
        let by_program = scope.spawn(|| read_by_program(&ground, &over));
        let verifier = scope.spawn(|| verify(&ground, &over));
        let mut answers = Vec::new();
        for writer in &mut writers {
            let noted = writer.finished();
            assert_eq!(noted.refused.first_key_value(), None);
            answers.extend(noted.answered.into_values());
        }
        over.store(true, Ordering::SeqCst);
        let counts = [by_library, by_program, verifier].map(|t| t.join().expect("no panic"));
        (answers, counts)
    });
    let [library, program, verified] = counts;
    say(&format!(
        "{WRITERS} writers x {POSTS} posts in {} ms; {library} + {program} reads, {verified} verifications",
        start.elapsed().as_millis()
    ));
    all_there(&ground, &answers);
}

/// Ends the loops beside a test even when it fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

fn all_there(ground: &Ground, answers: &[Map<String, Value>]) {
    let posted: Vec<i64> = answers
        .iter()
        .filter(|a| a["status"] == "posted")
        .map(|a| a["entry_id"].as_i64().expect("an id"))
        .collect();
    let distinct: BTreeSet<i64> = posted.iter().copied().collect();
    let wanted = usize::try_from(WRITERS * POSTS).expect("a count");
    assert_eq!((posted.len(), distinct.len()), (wanted, wanted));
    let journal = ground.journal(0);
    let in_journal: Vec<i64> = journal
        .iter()
        .filter(|e| e["type"] == "entry.posted")
        .map(|e| e["data"]["entry_id"].as_i64().expect("an id"))
        .collect();
    assert_eq!(in_journal.len(), wanted);
    assert_eq!(in_journal.into_iter().collect::<BTreeSet<_>>(), distinct);
    let sequences: BTreeSet<i64> = answers.iter().map(|a| super::acks::head(a).0).collect();
    assert_eq!(sequences.len(), 2 * wanted, "each answer has its own event");
    let heads: Vec<_> = answers.iter().map(super::acks::head).collect();
    assert_eq!(ground.lost(&heads), []);
    assert_eq!(ground.faults(), Vec::<String>::new());
    assert_eq!(ground.mirror_differs(), None);
    assert_eq!(ground.strays(), Vec::<String>::new());
}

/// What a reader saw last.
#[derive(Default)]
struct Seen {
    seq: i64,
    total: i64,
}

impl Seen {
    fn look(&mut self, answer: &Map<String, Value>) {
        let number = |key: &str| answer[key].as_i64().expect("a number");
        let (seq, total) = (number("seq"), number("total"));
        assert!(
            seq >= self.seq,
            "the sequence fell from {} to {seq}",
            self.seq
        );
        assert!(
            total >= self.total,
            "entries went from {} to {total}",
            self.total
        );
        (self.seq, self.total) = (seq, total);
        let mut sum = 0;
        for line in lines(answer) {
            let amount: i64 = line["amount"]
                .as_str()
                .and_then(|a| a.replace('.', "").parse().ok())
                .expect("an amount");
            sum += if line["side"] == "debit" {
                amount
            } else {
                -amount
            };
        }
        assert_eq!(sum, 0, "unbalanced at event {seq}");
    }
}

fn lines(answer: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let entries = answer["entries"].as_array().expect("entries");
    entries
        .iter()
        .flat_map(|e| e["lines"].as_array().expect("lines"))
}

fn read_by_library(ground: &Ground, over: &AtomicBool) -> usize {
    let mut books = ground.open().expect("the books open");
    let mut args = Map::new();
    args.insert("status".to_owned(), "posted".into());
    let ask = Ask {
        tool: "books.search_entries".to_owned(),
        args,
    };
    let (mut seen, mut reads) = (Seen::default(), 0);
    while !over.load(Ordering::SeqCst) {
        seen.look(&ground::ask(&mut books, &ask).expect("read").value);
        reads += 1;
    }
    reads
}

fn read_by_program(ground: &Ground, over: &AtomicBool) -> usize {
    let (mut seen, mut reads) = (Seen::default(), 0);
    while !over.load(Ordering::SeqCst) {
        let args = json!({"status": "posted", "limit": 50});
        seen.look(&ground.call("books.search_entries", &args).good());
        reads += 1;
    }
    reads
}

fn verify(ground: &Ground, over: &AtomicBool) -> usize {
    let mut times = 0;
    while !over.load(Ordering::SeqCst) {
        assert_eq!(ground.faults(), Vec::<String>::new());
        times += 1;
    }
    times
}

/// The same request under the same key from two processes at once is done once, and both are answered alike.
#[test]
fn pairs_under_one_key() {
    let ground = Ground::new();
    for pair in 0..25 {
        let mut args = ground::draft(&format!("pair {pair}"));
        args.insert("request_key".to_owned(), format!("pair-{pair}").into());
        let args = Value::Object(args).to_string();
        let both: Vec<_> = (0..2)
            .map(|_| {
                ground
                    .wb(&["call", "books.draft_entry", &args])
                    .stdin(Stdio::null())
                    .stdout(Stdio::piped())
                    .spawn()
                    .expect("wb starts")
            })
            .collect();
        let mut answers: Vec<Map<String, Value>> = both
            .into_iter()
            .map(|child| child.wait_with_output().expect("wb ends"))
            .map(|out| {
                assert!(out.status.success(), "pair {pair}: {out:?}");
                serde_json::from_slice(&out.stdout).expect("an object")
            })
            .collect();
        let replayed = answers.iter_mut().filter_map(|a| a.remove("replayed"));
        assert_eq!(replayed.count(), 1, "pair {pair} was done other than once");
        assert_eq!(answers[0], answers[1], "pair {pair}");
    }
    let drafted = ground.journal(0).into_iter();
    let drafted = drafted.filter(|e| e["type"] == "entry.drafted").count();
    assert_eq!(drafted, 25);
}
