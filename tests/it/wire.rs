//! The wire as the real program speaks it: `wb mcp serve` at the other end of its own standard streams, in both eras.

pub mod client;
mod drain;
mod resources;

use std::{fmt::Write as _, io::Write, thread};

use serde_json::{Value, json};

use crate::stage::Stage;
use client::{Client, Era};

const ERAS: [Era; 2] = [Era::Handshake, Era::Stateless];

/// Bytes that a line may have, its newline not counted.
const LINE_BYTES_MAX: usize = 36 * 1024 * 1024;

fn draft(description: &str) -> Value {
    json!({"date": "2026-01-05", "description": description})
}

/// Malformed JSON, invalid UTF-8 and nesting over 64 levels are answered with an error without an id.
#[test]
fn what_cannot_be_read_is_answered() {
    let stage = Stage::small();
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        client.refused(b"{\"jsonrpc\":\"2.0\",\n", -32700, Value::Null);
        client.refused(b"nonsense\n", -32700, Value::Null);
        client.refused(
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}\n",
            -32700,
            Value::Null,
        );
        let deep = format!("{}{}\n", "[".repeat(65), "]".repeat(65));
        client.refused(deep.as_bytes(), -32600, Value::Null);
        let deeper = format!("{}{}\n", "[".repeat(100_000), "]".repeat(100_000));
        client.refused(deeper.as_bytes(), -32600, Value::Null);
        assert_eq!(client.leave(), "");
    }
}

/// A line over 36 MiB is answered with an error without an id; one of exactly that length is read.
#[test]
fn lines_have_a_limit() {
    let stage = Stage::small();
    let mut client = Client::of(&stage, Era::Stateless);
    let mut line = vec![b' '; LINE_BYTES_MAX + 1];
    line.push(b'\n');
    client.refused(&line, -32700, Value::Null);
    let (id, request) = client.call("books.search_entries", json!({}));
    let mut line = vec![b' '; LINE_BYTES_MAX + 1 - request.len()];
    line.extend_from_slice(request.as_bytes());
    client.send(&line);
    assert_eq!(client.hear()["id"], json!(id));
    assert_eq!(client.leave(), "");
}

/// An argument of the size of a 25 MB file in base64 is read as a line; the tool itself says what it takes.
#[test]
fn a_large_argument_is_read() {
    let stage = Stage::small();
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        let bytes = 25_000_000_usize.div_ceil(3) * 4;
        let refusal = client.tool(
            "books.import_chart_csv",
            json!({"csv_text": "A".repeat(bytes)}),
        );
        let refusal = refusal.expect_err("a chart of that size");
        assert_eq!(
            (&refusal["code"], &refusal["field"]),
            (&json!("invalid_arguments"), &json!("csv_text"))
        );
        let message = refusal["message"].as_str().expect("a message");
        assert!(
            message.contains("33333336 bytes; at most 5242880"),
            "{message}"
        );
        client.works();
        assert_eq!(client.leave(), "");
    }
}

/// A JSON value that is no request, and a batch, are answered with an error that has the id where there is one.
#[test]
fn what_is_no_request_is_answered() {
    let stage = Stage::small();
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        for line in ["42", "\"text\"", "null", "true", "{}", "[]"] {
            client.refused(format!("{line}\n").as_bytes(), -32600, Value::Null);
        }
        client.refused(
            b"[{\"jsonrpc\":\"2.0\",\"id\":900,\"method\":\"tools/list\"}]\n",
            -32600,
            Value::Null,
        );
        client.refused(b"{\"jsonrpc\":\"2.0\",\"id\":901}\n", -32600, json!(901));
        client.refused(
            b"{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"tools/list\"}\n",
            -32600,
            json!("a"),
        );
        client.refused(
            b"{\"jsonrpc\":\"2.0\",\"id\":902,\"method\":7}\n",
            -32600,
            json!(902),
        );
        assert_eq!(client.leave(), "");
    }
}

/// Unknown methods, tools and resources are errors of the protocol.
#[test]
fn unknown_names_are_errors() {
    let stage = Stage::small();
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        for (method, params, code) in [
            ("books/close", json!({}), -32601),
            (
                "tools/call",
                json!({"name": "books.nothing", "arguments": {}}),
                -32602,
            ),
            ("resources/read", json!({"uri": "books://nothing"}), -32602),
        ] {
            let answer = client.ask(method, params);
            assert_eq!(
                answer["error"]["code"],
                json!(code),
                "{era:?} {method}: {answer}"
            );
        }
        client.works();
        assert_eq!(client.leave(), "");
    }
}

/// An argument too many, one too few and one of another kind are refusals that name the field.
#[test]
fn wrong_arguments_are_refusals() {
    let stage = Stage::small();
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        for (args, field) in [
            (
                json!({"date": "2026-01-05", "description": "x", "colour": "red"}),
                "colour",
            ),
            (json!({"date": "2026-01-05"}), "description"),
            (json!({"date": 5, "description": "x"}), "date"),
        ] {
            let refusal = client
                .tool("books.draft_entry", args)
                .expect_err("a refusal");
            let found = (&refusal["code"], &refusal["field"]);
            assert_eq!(
                found,
                (&json!("invalid_arguments"), &json!(field)),
                "{refusal}"
            );
        }
        client.works();
        assert_eq!(client.leave(), "");
    }
}

/// A notification is answered with nothing, whatever it is of.
#[test]
fn notifications_are_not_answered() {
    let stage = Stage::small();
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        client.works();
        for method in [
            "notifications/cancelled",
            "notifications/roots/list_changed",
            "books/gone",
        ] {
            let said = json!({"jsonrpc": "2.0", "method": method, "params": {"requestId": 9_999}});
            client.send(format!("{said}\n").as_bytes());
        }
        client.works();
        assert_eq!(client.leave(), "");
    }
}

/// However the bytes of requests are cut and lines end, the requests are the same.
#[test]
fn bytes_may_be_cut_anywhere() {
    let stage = Stage::small();
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        let (first, one) = client.call("books.search_entries", json!({}));
        let (second, two) = client.call("books.search_entries", json!({}));
        client.send(format!("{one}{two}").as_bytes());
        let mut heard = [client.hear()["id"].clone(), client.hear()["id"].clone()];
        heard.sort_by_key(Value::as_i64);
        assert_eq!(heard, [json!(first), json!(second)]);

        let (id, line) = client.call("books.search_entries", json!({"text": "Café"}));
        for byte in line.as_bytes() {
            client.send(&[*byte]);
        }
        assert_eq!(client.hear()["id"], json!(id));

        let (id, line) = client.call("books.search_entries", json!({}));
        client.send(format!("\n\r\n{}\r\n\n", line.trim_end()).as_bytes());
        assert_eq!(client.hear()["id"], json!(id));
        client.works();
        assert_eq!(client.leave(), "");
    }
}

/// A character of two bytes that lies across the border of 64 KiB arrives whole.
#[test]
fn characters_may_lie_across_a_border() {
    const BORDER: usize = 64 * 1024;
    let stage = Stage::small();
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        let (id, line) = client.call("books.draft_entry", draft("Café"));
        let place = line.find('é').expect("the character");
        let padding = " ".repeat(BORDER - 1 - place);
        let line = format!("{{{padding}{}", &line[1..]);
        assert_eq!(line.as_bytes()[BORDER - 1..=BORDER], *"é".as_bytes());
        client.send(line.as_bytes());
        let answer = client.hear();
        let view = &answer["result"]["structuredContent"];
        assert_eq!(
            (&answer["id"], &view["description"]),
            (&json!(id), &json!("Café")),
            "{answer}"
        );
        assert_eq!(client.leave(), "");
    }
}

/// The end of the input ends the server with 0 at once, before a first word and after calls.
#[test]
fn the_end_of_the_input_is_the_end() {
    let stage = Stage::small();
    let silent = Client::of(&stage, Era::Stateless);
    assert_eq!(silent.leave(), "");
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        client.works();
        assert_eq!(client.leave(), "");
    }
}

/// What a chain of draft, two lines and a posting sends.
fn chain(client: &mut Client, entry_id: i64) -> String {
    let add = |account: &str, side: &str| json!({"entry_id": entry_id, "account": account, "side": side, "amount": "1.00"});
    let mut lines = String::new();
    for (tool, args) in [
        ("books.draft_entry", draft(&format!("Chain {entry_id}"))),
        ("books.add_line", add("6800", "debit")),
        ("books.add_line", add("1000", "credit")),
        (
            "books.post_entry",
            json!({"entry_id": entry_id, "confirmed": true}),
        ),
    ] {
        let (_, line) = client.call(tool, args);
        write!(lines, "{line}").expect("a text grows");
    }
    lines
}

/// 300 chains, all sent before any answer was read, are done in order of arrival; in the other era 30, for its envelope.
#[test]
fn pipelined_chains_are_done_in_order() {
    let stage = Stage::small();
    stage.settle("[mcp]\nrequire_preview = false");
    for (era, chains) in [(Era::Handshake, 30), (Era::Stateless, 300)] {
        let first = stage.must("entry search --json").json()["total"].as_i64();
        let first = first.expect("a number");
        let mut client = Client::of(&stage, era);
        let before = client.asked;
        let lines: String = (1..=chains)
            .map(|n| chain(&mut client, first + n))
            .collect();
        let mut input = client.input.take().expect("the input is open");
        let writer = thread::spawn(move || input.write_all(lines.as_bytes()).map(|()| input));
        let mut answers: Vec<Value> = (0..chains * 4).map(|_| client.hear()).collect();
        client.input = Some(writer.join().expect("no panic").expect("the server reads"));
        answers.sort_by_key(|answer| answer["id"].as_i64());
        let ids: Vec<i64> = answers.iter().filter_map(|a| a["id"].as_i64()).collect();
        assert_eq!(ids, (before + 1..=before + chains * 4).collect::<Vec<_>>());
        let refused = answers
            .iter()
            .find(|a| a["result"]["isError"] != json!(false));
        assert_eq!(refused, None, "{era:?}");
        let seqs: Vec<i64> = answers
            .iter()
            .filter_map(|a| a["result"]["structuredContent"]["seq"].as_i64())
            .collect();
        assert_eq!(seqs.len(), ids.len());
        assert!(seqs.is_sorted_by(|a, b| a < b), "{era:?}: {seqs:?}");
        assert_eq!(client.leave(), "");
    }
    stage.must("verify");
    // 330 chains of one dollar each.
    let trial = stage
        .must("report trial-balance --as-of 2026-01-31 --json")
        .json();
    assert_eq!(trial["total_debit"], json!("330.00"), "{trial}");
}

/// Two servers of the same books post by turns, and each sees at once what the other did.
#[test]
fn two_servers_post_by_turns() {
    let stage = Stage::small();
    stage.settle("[mcp]\nrequire_preview = false");
    let mut clients = [
        Client::of(&stage, Era::Handshake),
        Client::of(&stage, Era::Stateless),
    ];
    for entry_id in 1..=20 {
        let client = &mut clients[usize::from(entry_id % 2 == 0)];
        let lines = chain(client, entry_id);
        client.send(lines.as_bytes());
        for _ in 0..4 {
            let answer = client.hear();
            assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
        }
    }
    for client in &mut clients {
        let found = client.tool("books.search_entries", json!({"status": "posted"}));
        assert_eq!(found.expect("a result")["total"], json!(20));
    }
    for client in clients {
        assert_eq!(client.leave(), "");
    }
    stage.must("verify");
}
