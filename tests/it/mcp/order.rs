//! Calls that overtake, are taken back, fail or run long: what the books do, and what is answered.

use std::collections::BTreeMap;

use super::*;

/// 300 chains of draft, two lines and posting, all sent before any answer was read, are done in order of arrival.
#[test]
fn pipelined_chains_are_done_in_order() {
    const CHAINS: i64 = 300;
    let house = House::new(registry::DOMAINS, "[mcp]\nrequire_preview = false\n");
    let mut client = Client::of(&house, Era::Handshake);
    let mut lines = String::new();
    for entry_id in 1..=CHAINS {
        let calls = [
            (
                "books.draft_entry",
                json!({"date": "2026-11-03", "description": format!("Chain {entry_id}")}),
            ),
            ("books.add_line", line(entry_id, "6800", "debit", "1.00")),
            ("books.add_line", line(entry_id, "1000", "credit", "1.00")),
            (
                "books.post_entry",
                json!({"entry_id": entry_id, "confirmed": true}),
            ),
        ];
        for (tool, args) in calls {
            client.asked += 1;
            let id = client.asked;
            let params = json!({"name": tool, "arguments": args});
            let call =
                json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
            lines.push_str(&format!("{call}\n"));
        }
    }
    let mut input = client.input.take().expect("the input is open");
    let writer = thread::spawn(move || input.write_all(lines.as_bytes()).map(|()| input));
    let mut answers = BTreeMap::new();
    for _ in 0..CHAINS * 4 {
        let answer = client.hear();
        let id = answer["id"].as_i64().expect("an id");
        assert_eq!(answers.insert(id, answer), None, "a second answer to {id}");
    }
    let input = writer.join().expect("no panic").expect("the server reads");
    client.input = Some(input);
    let refused: Vec<&Value> = answers
        .values()
        .filter(|answer| answer["result"]["isError"] != json!(false))
        .collect();
    assert_eq!(refused, Vec::<&Value>::new());
    // Each wrote one event, so their sequence numbers are the order in which they were done.
    let done: Vec<i64> = answers
        .values()
        .filter_map(|answer| answer["result"]["structuredContent"]["seq"].as_i64())
        .collect();
    let expected: Vec<i64> = (0..CHAINS * 4).map(|place| done[0] + place).collect();
    assert_eq!(done, expected);
    client.leave().expect("the end of the input is no error");
}

fn cancel(client: &mut Client, id: i64) {
    let params = json!({"requestId": id});
    client.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
}

/// A call taken back before it began is never done; `ping` is answered while another call runs.
#[test]
fn cancelled_before_it_began_is_not_done() {
    let house = House::new(trial::DOMAINS, "");
    let mut client = Client::of(&house, Era::Handshake);
    let gate = &trial::GATES[0];
    let running = client.begin_call("trial.wait", json!({"gate": 0}));
    gate.reached();
    let args = json!({"date": "2026-11-03", "description": "Taken back"});
    let waiting = client.begin_call("books.draft_entry", args);
    cancel(&mut client, waiting);
    let pong = client.ask("ping", json!({}));
    assert_eq!(pong["result"], json!({}));
    gate.open();
    let answer = client.hear();
    assert_eq!(answer["id"], json!(running));
    client.read("trial.wait", &answer).expect("a result");
    let found = client.call("books.search_entries", json!({}));
    assert_eq!(found.expect("a result")["total"], json!(0));
    client.leave().expect("the end of the input is no error");
}

/// A call taken back while it runs gets no answer; whatever became of it, the books are whole and go on.
#[test]
fn cancelled_while_it_runs_is_not_answered() {
    let house = House::new(trial::DOMAINS, "");
    let mut client = Client::of(&house, Era::Handshake);
    let gate = &trial::GATES[1];
    let running = client.begin_call("trial.wait", json!({"gate": 1}));
    gate.reached();
    cancel(&mut client, running);
    client.ask("ping", json!({}));
    gate.open();
    let args = json!({"date": "2026-11-03", "description": "After it"});
    let drafted = client.call("books.draft_entry", args).expect("a draft");
    assert_eq!(drafted["entry_id"], json!(1));
    let kinds: Vec<Value> = house.journal().iter().map(|e| e["type"].clone()).collect();
    assert_eq!(
        kinds[kinds.len() - 2..],
        [json!("trial.tried"), json!("entry.drafted")]
    );
    client.leave().expect("the end of the input is no error");
}

/// Progress is told in whole numbers, before the answer, to whom asked for it.
#[test]
fn progress_is_told_before_the_answer() {
    let house = House::new(trial::DOMAINS, "");
    let mut client = Client::of(&house, Era::Stateless);
    let params = json!({
        "name": "trial.wait", "arguments": {"gate": 2}, "_meta": {"progressToken": "t"},
    });
    let id = client.begin("tools/call", params);
    let expected = json!({
        "jsonrpc": "2.0", "method": "notifications/progress",
        "params": {"progressToken": "t", "progress": 1, "total": 2},
    });
    assert_eq!(client.hear(), expected);
    trial::GATES[2].open();
    let answer = client.hear();
    assert_eq!(answer["id"], json!(id));
    client.read("trial.wait", &answer).expect("a result");
    client.leave().expect("the end of the input is no error");
}

/// A panic in an operation is undone and answered, and the next call works.
#[test]
fn panic_is_undone_and_answered() {
    let house = House::new(trial::DOMAINS, "");
    let mut client = Client::of(&house, Era::Stateless);
    let before = house.journal();
    let failed = client.call("trial.fail", json!({}));
    let expected = json!({
        "code": "internal", "message": "trial.fail failed inside wb; nothing was changed",
    });
    assert_eq!(failed, Err(expected));
    assert_eq!(house.journal(), before);
    let args = json!({"date": "2026-11-03", "description": "After it"});
    let drafted = client.call("books.draft_entry", args).expect("a draft");
    assert_eq!(drafted["entry_id"], json!(1));
    client.leave().expect("the end of the input is no error");
}

/// Calls that were sent before the input ended are done and answered before the server goes.
#[test]
fn calls_before_the_end_are_answered() {
    let house = house();
    let mut client = Client::of(&house, Era::Stateless);
    let args = json!({"date": "2026-11-03", "description": "Last words"});
    let asked: Vec<i64> = (0..20)
        .map(|_| client.begin_call("books.draft_entry", args.clone()))
        .collect();
    drop(client.input.take());
    let answered: Vec<i64> = asked
        .iter()
        .filter_map(|_| client.hear()["id"].as_i64())
        .collect();
    assert_eq!(answered, asked);
    client.leave().expect("the end of the input is no error");
}
