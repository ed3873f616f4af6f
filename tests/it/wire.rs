//! The wire as the real program speaks it: `wb mcp serve` at the other end of its own standard streams, in both eras.

use std::{
    fmt::Write as _,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::stage::Stage;

/// Which of the two lifecycles a client follows.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Era {
    Handshake,
    Stateless,
}

const ERAS: [Era; 2] = [Era::Handshake, Era::Stateless];

/// Bytes that a line may have, its newline not counted.
const LINE_BYTES_MAX: usize = 36 * 1024 * 1024;

/// A running server. Whatever it says must be protocol.
struct Client {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    era: Era,
    asked: i64,
}

impl Client {
    fn of(stage: &Stage, era: Era) -> Client {
        let mut server = Command::new(env!("CARGO_BIN_EXE_wb"))
            .arg("--books")
            .arg(stage.books())
            .args(["mcp", "serve"])
            .env_clear()
            .env("XDG_STATE_HOME", stage.here().join("xdg"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut client = Client {
            input: server.stdin.take(),
            output: BufReader::new(server.stdout.take().expect("its output")),
            server,
            era,
            asked: 0,
        };
        if era == Era::Handshake {
            let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
            let opened = client.ask("initialize", params);
            assert_eq!(opened["result"]["protocolVersion"], json!("2025-11-25"));
            client.send(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
        }
        client
    }

    /// A request with an id of its own, as a line.
    fn request(&mut self, method: &str, mut params: Value) -> (i64, String) {
        self.asked += 1;
        if self.era == Era::Stateless {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            });
        }
        let id = self.asked;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        (id, format!("{request}\n"))
    }

    fn call(&mut self, tool: &str, args: Value) -> (i64, String) {
        self.request("tools/call", json!({"name": tool, "arguments": args}))
    }

    fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the server reads");
        input.flush().expect("the server reads");
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server writes");
        let said: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line:?}"));
        assert_eq!(said["jsonrpc"], json!("2.0"), "{said}");
        said
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let (id, line) = self.request(method, params);
        self.send(line.as_bytes());
        let answer = self.hear();
        assert_eq!(answer["id"], json!(id), "{answer}");
        answer
    }

    /// Calls a tool: its result, or its refusal.
    fn tool(&mut self, tool: &str, args: Value) -> Result<Value, Value> {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": args}));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().expect("a text");
        let said: Value = serde_json::from_str(text).expect("JSON as text");
        if result["isError"] == json!(true) {
            return Err(said);
        }
        Ok(said)
    }

    /// The server still works, and nothing else was said meanwhile.
    fn works(&mut self) {
        let found = self.tool("books.search_entries", json!({}));
        assert!(found.is_ok_and(|found| found["total"].is_i64()));
    }

    /// An error answers these bytes, and the next request works.
    fn refused(&mut self, bytes: &[u8], code: i64, id: Value) {
        self.send(bytes);
        let answer = self.hear();
        let found = (answer["error"]["code"].clone(), answer["id"].clone());
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).into_owned();
        assert_eq!(found, (json!(code), id), "{:?} {shown}: {answer}", self.era);
        assert!(answer.as_object().is_some_and(|a| a.contains_key("id")));
        self.works();
    }

    /// Closes the input: the server ends at once, well, and with nothing more to say. Gives what it told the person.
    fn leave(mut self) -> String {
        drop(self.input.take());
        let since = Instant::now();
        let ended = loop {
            if let Some(ended) = self.server.try_wait().expect("a child") {
                break ended;
            }
            assert!(since.elapsed() < Duration::from_secs(10), "it goes on");
            thread::sleep(Duration::from_millis(2));
        };
        assert_eq!(ended.code(), Some(0));
        let (mut rest, mut told) = (String::new(), String::new());
        self.output.read_to_string(&mut rest).expect("UTF-8");
        assert_eq!(rest, "");
        let mut errors = self.server.stderr.take().expect("its standard error");
        errors.read_to_string(&mut told).expect("UTF-8");
        told
    }
}

impl Drop for Client {
    /// A test that fails leaves no server behind.
    fn drop(&mut self) {
        // It has ended already when the test went well.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

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

/// Unknown methods and tools are errors of the protocol; resources, which are not served yet, are a method it does not know.
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
            ("resources/read", json!({"uri": "books://nothing"}), -32601),
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
