//! The end of the input: every request that was accepted is answered before the program ends.

use std::{io::Read, thread};

use super::*;

const CALLS: i64 = 3_000;

/// Thousands of calls written in one go before the input ends are all answered, each once, and the program ends well.
#[test]
fn all_is_answered_after_the_input_ends() {
    let stage = Stage::small();
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        let first = client.asked + 1;
        let mut lines = String::new();
        for n in 0..CALLS {
            let call = if n % 3 == 0 {
                client.call("books.draft_entry", draft("Paper"))
            } else {
                client.call("books.chart", json!({}))
            };
            lines.push_str(&call.1);
        }
        let mut input = client.input.take().expect("the input is open");
        let writer = thread::spawn(move || input.write_all(lines.as_bytes()));
        let mut ids: Vec<i64> = (0..CALLS)
            .map(|_| {
                let answer = client.hear();
                assert!(answer["result"].is_object(), "{answer}");
                answer["id"].as_i64().expect("an id")
            })
            .collect();
        writer.join().expect("no panic").expect("the server reads");
        ids.sort_unstable();
        assert_eq!(ids, (first..first + CALLS).collect::<Vec<_>>());
        assert_eq!(client.leave(), "");
    }
}

/// Nobody who reads the answers ends the program, however much is still asked.
#[test]
fn a_closed_output_ends_the_server() {
    let stage = Stage::small();
    let mut server = client::serve(&stage);
    drop(server.stdout.take());
    let mut input = server.stdin.take().expect("an input");
    for id in 0..CALLS {
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
            "name": "books.chart", "_meta": client::meta(),
        }});
        // The server may have gone by now, which is what is wanted.
        if writeln!(input, "{call}").is_err() {
            break;
        }
    }
    drop(input);
    let ended = server.wait().expect("a child");
    let mut told = String::new();
    let mut errors = server.stderr.take().expect("its standard error");
    errors.read_to_string(&mut told).expect("UTF-8");
    assert_eq!((ended.code(), told.as_str()), (Some(0), ""));
}
