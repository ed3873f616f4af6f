//! Lines of the journal on their way from the thread that holds them to the chain to the one that folds them, in batches
//! that bound how far the first runs ahead. Judges nothing.

use std::{
    borrow::Cow,
    ops::Range,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
};

use crate::store::{head::Head, journal::Envelope};

/// How much text a batch carries before it goes: long enough that handing it over costs nothing beside reading it.
const BATCH_BYTES: usize = 128 * 1024;
/// How many batches may wait to be folded.
const WAITING: usize = 8;

/// Some lines that follow each other.
#[derive(Default)]
pub(super) struct Batch {
    text: String,
    lines: Vec<Carried>,
}

/// A line, its texts as places in the batch's.
struct Carried {
    before: Head,
    seq: i64,
    txn: i64,
    more: bool,
    v: u32,
    at: Range<usize>,
    by: Range<usize>,
    key: Option<Range<usize>>,
    args_sha256: Option<Range<usize>>,
    answer: Option<Range<usize>>,
    kind: Range<usize>,
    data: Range<usize>,
    prev: Range<usize>,
}

/// The end that lines go in at.
pub(super) struct Sender {
    batch: Batch,
    to: SyncSender<Batch>,
}

/// The two ends.
pub(super) fn relay() -> (Sender, Receiver<Batch>) {
    let (to, from) = sync_channel(WAITING);
    let batch = Batch::default();
    (Sender { batch, to }, from)
}

impl Sender {
    /// Hands over a line and the head before it; false when nobody takes lines any more.
    pub fn send(&mut self, before: Head, line: &Envelope<'_>) -> bool {
        self.batch.push(before, line);
        self.batch.text.len() < BATCH_BYTES || self.flush()
    }

    /// Hands over what is left. That nobody takes it any more is the taker's to say.
    pub fn end(mut self) {
        self.flush();
    }

    fn flush(&mut self) -> bool {
        self.to.send(std::mem::take(&mut self.batch)).is_ok()
    }
}

impl Batch {
    fn push(&mut self, before: Head, line: &Envelope<'_>) {
        let text = &mut self.text;
        let mut put = |part: &str| {
            let start = text.len();
            text.push_str(part);
            start..text.len()
        };
        self.lines.push(Carried {
            before,
            seq: line.seq,
            txn: line.txn,
            more: line.more,
            v: line.v,
            at: put(&line.at),
            by: put(line.by),
            key: line.key.as_deref().map(&mut put),
            args_sha256: line.args_sha256.as_deref().map(&mut put),
            answer: line.answer.map(&mut put),
            kind: put(&line.kind),
            data: put(line.data),
            prev: put(&line.prev),
        });
    }

    /// The lines in their order, each with the head before it.
    pub fn lines(&self) -> impl Iterator<Item = (Head, Envelope<'_>)> {
        let text = |place: &Range<usize>| &self.text[place.clone()];
        let maybe = move |place: &Option<Range<usize>>| place.as_ref().map(text);
        self.lines.iter().map(move |line| {
            let envelope = Envelope {
                seq: line.seq,
                txn: line.txn,
                more: line.more,
                at: Cow::Borrowed(text(&line.at)),
                by: text(&line.by),
                key: maybe(&line.key).map(Cow::Borrowed),
                args_sha256: maybe(&line.args_sha256).map(Cow::Borrowed),
                answer: maybe(&line.answer),
                kind: Cow::Borrowed(text(&line.kind)),
                v: line.v,
                data: text(&line.data),
                prev: Cow::Borrowed(text(&line.prev)),
            };
            (line.before, envelope)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line comes out as it went in, escapes and absent members too, and stands behind the lines sent before it.
    #[test]
    fn carried() {
        let prev = "0".repeat(64);
        let bodies = [
            format!(
                r#"{{"seq":1,"txn":1,"more":true,"at":"2026-11-30T08:51:40Z","by":{{"user":"a"}},"key":"k\"1","args_sha256":"ab",
                "answer":{{"ok":true}},"type":"x.hap\u0070ened","v":2,"data":{{"n": 1}},"prev":"{prev}"}}"#
            ),
            format!(
                r#"{{"seq":2,"txn":1,"at":"2026-11-30T08:51:40Z","by":{{}},"type":"y.happened","v":1,"data":{{}},"prev":"{prev}"}}"#
            ),
        ];
        let lines: Vec<Envelope<'_>> = bodies
            .iter()
            .map(|body| serde_json::from_str(body).expect("a line of the test"))
            .collect();
        let head = |seq| Head { seq, hash: [7; 32] };
        let (mut sender, receiver) = relay();
        for line in &lines {
            assert!(sender.send(head(line.seq - 1), line));
        }
        sender.end();
        let batches: Vec<Batch> = receiver.iter().collect();
        let came: Vec<String> = batches
            .iter()
            .flat_map(Batch::lines)
            .map(|line| format!("{line:?}"))
            .collect();
        let went: Vec<String> = lines
            .iter()
            .map(|line| format!("{:?}", (head(line.seq - 1), line)))
            .collect();
        assert_eq!(came, went);
    }
}
