//! What single calls are answered: previews, keys, arguments, sizes.

use super::*;

/// A balanced draft of 12.50 from 1000 to 6800, and its id.
fn draft(client: &mut Client, description: &str) -> i64 {
    let args = json!({"date": "2026-11-03", "description": description});
    let drafted = client.call("books.draft_entry", args).expect("a draft");
    let id = drafted["entry_id"].as_i64().expect("an id");
    for (account, side) in [("6800", "debit"), ("1000", "credit")] {
        let added = client.call("books.add_line", line(id, account, side, "12.50"));
        added.expect("a line");
    }
    id
}

fn preview(client: &mut Client, id: i64) -> Value {
    let seen = client.call("books.post_entry", json!({"entry_id": id}));
    seen.expect("a preview")["preview"].clone()
}

fn code(answered: &Result<Value, Value>) -> &str {
    match answered {
        Ok(_) => "done",
        Err(refusal) => refusal["code"].as_str().unwrap_or("none"),
    }
}

/// In both eras an entry is drafted, previewed with the balances it would leave, and posted as previewed.
#[test]
fn from_draft_to_posting() {
    for era in [Era::Handshake, Era::Stateless] {
        let house = house();
        let mut client = Client::of(&house, era);
        let id = draft(&mut client, "Printer paper");
        let seen = client.call("books.post_entry", json!({"entry_id": id}));
        let mut seen = seen.expect("a preview");
        let digest = seen["preview"].as_str().expect("a digest").to_owned();
        assert_eq!(digest.len(), 20);
        let side = |index, account_id, code: &str, side, balance| {
            json!({
                "line_index": index, "account_id": account_id, "account_code": code,
                "account_name": format!("Account {code}"), "side": side, "amount": "12.50", "balance": balance,
            })
        };
        let mut expected = json!({
            "status": "preview", "entry_id": 1, "date": "2026-11-03", "description": "Printer paper", "total": "12.50",
            "lines": [side(0, 4, "6800", "debit", "12.50"), side(1, 1, "1000", "credit", "-12.50")],
            "receipts": [], "receipt_required": false, "receipt_missing": false, "split_detected": [],
            "preview": digest,
        });
        assert_eq!(seen, expected);
        let confirm = json!({"entry_id": id, "confirmed": true, "if_preview": digest});
        let posted = client.call("books.post_entry", confirm).expect("a posting");
        let journal = house.journal();
        let last = journal.last().expect("an event");
        assert_eq!(last["type"], json!("entry.posted"));
        // The client's name lost what hides, and both were cut at a hundred characters.
        let by = format!("test \"x\"/{}", "9".repeat(91));
        assert_eq!(last["by"], json!({"face": "mcp", "client": by}));
        expected["status"] = "posted".into();
        for made in [&mut seen, &mut expected] {
            made.as_object_mut().expect("an object").remove("preview");
        }
        expected["seq"] = last["seq"].clone();
        expected["head"] = posted["head"].clone();
        assert_eq!(posted, expected);
        client.leave().expect("the end of the input is no error");
    }
}

/// A confirmation that no preview came before is refused, whatever its arguments say, and changes nothing.
#[test]
fn confirmation_needs_its_preview() {
    let house = house();
    let mut client = Client::of(&house, Era::Stateless);
    let (one, two) = (draft(&mut client, "One"), draft(&mut client, "Two"));
    let before = house.journal();
    let confirm = |id| json!({"entry_id": id, "confirmed": true});
    let refused = client.call("books.post_entry", confirm(one));
    assert_eq!(code(&refused), "preview_required");
    preview(&mut client, one);
    let refused = client.call("books.post_entry", confirm(two));
    assert_eq!(code(&refused), "preview_required");
    assert_eq!(house.journal(), before);
    let posted = client.call("books.post_entry", confirm(one));
    assert_eq!(code(&posted), "done");
    client.leave().expect("the end of the input is no error");
}

/// The settings may let a confirmation come without a preview.
#[test]
fn settings_may_waive_the_preview() {
    let house = House::new(registry::DOMAINS, "[mcp]\nrequire_preview = false\n");
    let mut client = Client::of(&house, Era::Handshake);
    let id = draft(&mut client, "One");
    let args = json!({"entry_id": id, "confirmed": true});
    assert_eq!(code(&client.call("books.post_entry", args)), "done");
    client.leave().expect("the end of the input is no error");
}

/// A preview is void once its draft changed, and not because another draft was posted.
#[test]
fn preview_goes_stale_with_its_own_draft() {
    let house = house();
    let mut client = Client::of(&house, Era::Stateless);
    let (one, two) = (draft(&mut client, "One"), draft(&mut client, "Two"));
    let (seen_one, seen_two) = (preview(&mut client, one), preview(&mut client, two));
    let confirm =
        |id: i64, seen: &Value| json!({"entry_id": id, "confirmed": true, "if_preview": seen});
    let posted = client.call("books.post_entry", confirm(two, &seen_two));
    assert_eq!(code(&posted), "done");
    let posted = client.call("books.post_entry", confirm(one, &seen_one));
    assert_eq!(code(&posted), "done");

    let three = draft(&mut client, "Three");
    let seen = preview(&mut client, three);
    for (account, side) in [("6800", "debit"), ("1010", "credit")] {
        let added = client.call("books.add_line", line(three, account, side, "7.00"));
        added.expect("a line");
    }
    let refused = client.call("books.post_entry", confirm(three, &seen));
    assert_eq!(code(&refused), "preview_stale");
    let seen = preview(&mut client, three);
    let posted = client.call("books.post_entry", confirm(three, &seen));
    assert_eq!(posted.expect("a posting")["total"], json!("19.50"));
    client.leave().expect("the end of the input is no error");
}

/// A writing call can be previewed too: what it would be allotted is left out, and nothing is written.
#[test]
fn any_writing_call_has_a_preview() {
    let house = house();
    let mut client = Client::of(&house, Era::Stateless);
    let before = house.journal();
    let args = json!({"date": "2026-11-03", "description": "Paper", "preview": true});
    let seen = client.call("books.draft_entry", args).expect("a preview");
    let expected = json!({
        "status": "preview", "date": "2026-11-03", "description": "Paper", "origin": "manual",
        "total_debit": "0.00", "total_credit": "0.00", "lines": [],
    });
    assert_eq!(seen, expected);
    assert_eq!(house.journal(), before);
    client.leave().expect("the end of the input is no error");
}

/// A call repeated under its key is done once and answered as before; another call under that key is refused.
#[test]
fn key_makes_twice_once() {
    let house = house();
    let mut client = Client::of(&house, Era::Handshake);
    let args = |text: &str| json!({"date": "2026-11-03", "description": text, "request_key": "k1"});
    let first = client.call("books.draft_entry", args("Paper"));
    let mut first = first.expect("a draft");
    let journal = house.journal();
    let again = client.call("books.draft_entry", args("Paper"));
    first["replayed"] = true.into();
    assert_eq!(again, Ok(first));
    let other = client.call("books.draft_entry", args("Pens"));
    assert_eq!(code(&other), "request_key_reused");
    assert_eq!(house.journal(), journal);
    client.leave().expect("the end of the input is no error");
}

/// What is wrong with arguments is a refusal that names the argument; nothing is written.
#[test]
fn wrong_arguments_are_refused_by_name() {
    let house = house();
    let mut client = Client::of(&house, Era::Stateless);
    let before = house.journal();
    for (tool, args, field) in [
        (
            "books.get_entry",
            json!({"entry_id": 1, "colour": "red"}),
            "colour",
        ),
        ("books.get_entry", json!({"entry_id": "one"}), "entry_id"),
        ("books.get_entry", json!({"entry_id": 1.5}), "entry_id"),
        ("books.get_entry", json!({}), "entry_id"),
        (
            "books.get_entry",
            json!({"entry_id": 1, "request_key": "k"}),
            "request_key",
        ),
        (
            "books.add_line",
            line(1, "1000", "debit", "1,000.00"),
            "amount",
        ),
        (
            "books.add_line",
            line(1, "1000", "sideways", "1.00"),
            "side",
        ),
        (
            "books.add_line",
            json!({"entry_id": 1, "account": "1000", "side": "debit", "amount": 12.5}),
            "amount",
        ),
        (
            "books.draft_entry",
            json!({"date": "2026-2-3", "description": "x"}),
            "date",
        ),
        (
            "books.draft_entry",
            json!({"date": "2026-02-03", "description": "x", "confirmed": true}),
            "confirmed",
        ),
        (
            "books.draft_entry",
            json!({"date": "2026-02-03", "description": "x", "request_key": "ä"}),
            "request_key",
        ),
        (
            "books.post_entry",
            json!({"entry_id": 1, "confirmed": "yes"}),
            "confirmed",
        ),
    ] {
        let refusal = client.call(tool, args.clone()).expect_err("a refusal");
        assert_eq!(
            (&refusal["code"], &refusal["field"]),
            (&json!("invalid_arguments"), &json!(field)),
            "{tool} {args}: {refusal}"
        );
    }
    assert_eq!(house.journal(), before);
    client.leave().expect("the end of the input is no error");
}

/// `null` is an argument left out, and arguments may be left out altogether.
#[test]
fn null_is_an_argument_left_out() {
    let house = house();
    let mut client = Client::of(&house, Era::Handshake);
    let nulls = json!({"text": null, "account": null, "limit": null});
    let found = client.call("books.search_entries", nulls);
    let plain = client.ask("tools/call", json!({"name": "books.search_entries"}));
    assert_eq!(found, client.read("books.search_entries", &plain));
    assert_eq!(found.expect("a result")["total"], json!(0));
    let missing = client.call("books.get_entry", json!({"entry_id": null}));
    assert_eq!(missing.expect_err("a refusal")["field"], json!("entry_id"));
    client.leave().expect("the end of the input is no error");
}

/// A call to a tool that does not exist, and a resource that does not, are errors of the protocol, not of a tool.
#[test]
fn unknown_tool_is_an_error_of_the_protocol() {
    let house = house();
    let mut client = Client::of(&house, Era::Stateless);
    let answer = client.ask("tools/call", json!({"name": "books.cook", "arguments": {}}));
    let expected = json!({"code": -32602, "message": "there is no tool \"books.cook\""});
    assert_eq!(answer["error"], expected);
    let answer = client.ask("resources/read", json!({"uri": "books://cook"}));
    let expected = json!({"code": -32602, "message": "there is no resource \"books://cook\""});
    assert_eq!(answer["error"], expected);
    client.leave().expect("the end of the input is no error");
}

/// A result is given whole up to 200 KiB of JSON, and refused above.
#[test]
fn large_results_are_refused_never_cut() {
    let house = House::new(trial::DOMAINS, "");
    let mut client = Client::of(&house, Era::Stateless);
    let envelope = client
        .call("trial.tell", json!({"length": 0}))
        .expect("a result");
    let most = 200 * 1024 - envelope.to_string().len();
    let told = client
        .call("trial.tell", json!({"length": most}))
        .expect("a result");
    assert_eq!(told.to_string().len(), 200 * 1024);
    let refused = client.call("trial.tell", json!({"length": most + 1}));
    let expected = json!({
        "code": "result_too_large",
        "message": "the result has 204801 bytes of JSON; at most 204800 are given here",
        "bytes": 204_801,
        "bytes_max": 204_800,
        "remedy_hint": "ask for less: pages with limit and offset, a shorter period, one account; or ask at the terminal",
    });
    assert_eq!(refused, Err(expected));
    client.leave().expect("the end of the input is no error");
}
