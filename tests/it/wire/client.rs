//! A client of the real program, at the other end of its standard streams.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::stage::Stage;

/// Which of the two lifecycles a client follows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Era {
    Handshake,
    Stateless,
}

/// A running server. Whatever it says must be protocol.
pub struct Client {
    server: Child,
    pub input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    era: Era,
    pub asked: i64,
}

/// The program, serving a stage's books.
pub fn serve(stage: &Stage) -> Child {
    serve_some(stage, &[])
}

/// The same with these options of `wb mcp serve`.
fn serve_some(stage: &Stage, options: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_wb"))
        .arg("--books")
        .arg(stage.books())
        .args(["mcp", "serve"])
        .args(options)
        .env_clear()
        .env("XDG_STATE_HOME", stage.here().join("xdg"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// What every request of a client without a handshake says of it.
pub fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    })
}

impl Client {
    pub fn of(stage: &Stage, era: Era) -> Client {
        Client::with(stage, era, &[])
    }

    /// A client of a server with these options.
    pub fn with(stage: &Stage, era: Era, options: &[&str]) -> Client {
        let mut server = serve_some(stage, options);
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
    pub fn request(&mut self, method: &str, mut params: Value) -> (i64, String) {
        self.asked += 1;
        if self.era == Era::Stateless {
            params["_meta"] = meta();
        }
        let id = self.asked;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        (id, format!("{request}\n"))
    }

    pub fn call(&mut self, tool: &str, args: Value) -> (i64, String) {
        self.request("tools/call", json!({"name": tool, "arguments": args}))
    }

    pub fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the server reads");
        input.flush().expect("the server reads");
    }

    pub fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server writes");
        let said: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line:?}"));
        assert_eq!(said["jsonrpc"], json!("2.0"), "{said}");
        said
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let (id, line) = self.request(method, params);
        self.send(line.as_bytes());
        let answer = self.hear();
        assert_eq!(answer["id"], json!(id), "{answer}");
        answer
    }

    /// Calls a tool: its result, or its refusal.
    pub fn tool(&mut self, tool: &str, args: Value) -> Result<Value, Value> {
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
    pub fn works(&mut self) {
        let found = self.tool("books.search_entries", json!({}));
        assert!(found.is_ok_and(|found| found["total"].is_i64()));
    }

    /// An error answers these bytes, and the next request works.
    pub fn refused(&mut self, bytes: &[u8], code: i64, id: Value) {
        self.send(bytes);
        let answer = self.hear();
        let found = (answer["error"]["code"].clone(), answer["id"].clone());
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).into_owned();
        assert_eq!(found, (json!(code), id), "{:?} {shown}: {answer}", self.era);
        assert!(answer.as_object().is_some_and(|a| a.contains_key("id")));
        self.works();
    }

    /// Closes the input: the server ends at once, well, and with nothing more to say. Gives what it told the person.
    pub fn leave(mut self) -> String {
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
