//! A client that waits for an answer before it says the next thing: ids in use, cancelled calls.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter};
use std::thread::JoinHandle;

use super::*;

/// A client at the other end of two pipes, after its handshake.
struct Client {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    server: JoinHandle<io::Result<()>>,
}

impl Client {
    fn of(handler: Echo) -> Client {
        let (theirs, input) = io::pipe().expect("a pipe");
        let (output, ours) = io::pipe().expect("a pipe");
        let server = thread::spawn(move || {
            let wire = Wire::new(theirs, ours, LINE_BYTES_MAX)?;
            block_on(serve(handler, wire))
        });
        let output = BufReader::new(output);
        let mut client = Client {
            input,
            output,
            server,
        };
        client.say(INITIALIZE);
        assert_eq!(client.hear()["id"], json!("open"));
        client
    }

    fn say(&mut self, line: &str) {
        self.input
            .write_all(format!("{line}\n").as_bytes())
            .expect("the server reads");
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server writes");
        serde_json::from_str(&line).expect("a line is JSON")
    }

    /// Closes the input and gives back what was not heard yet.
    fn leave(mut self) -> String {
        drop(self.input);
        let ended = self.server.join().expect("the server does not panic");
        ended.expect("the end of the input is no error");
        let mut rest = String::new();
        self.output
            .read_to_string(&mut rest)
            .expect("the output is UTF-8");
        rest
    }
}

const WAIT: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}"#;

/// While a call runs, its id is refused and other requests are answered; its answer frees the id.
#[test]
fn answer_frees_the_id() {
    let handler = Echo::default();
    let mut client = Client::of(handler.clone());
    client.say(WAIT);
    client.say(&ask(1, "ping", "{}"));
    let in_use = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": -32600, "message": "Invalid request: id in use"},
    });
    assert_eq!(client.hear(), in_use);
    client.say(&ask(2, "ping", "{}"));
    assert_eq!(
        client.hear(),
        json!({"jsonrpc": "2.0", "id": 2, "result": {}})
    );
    handler.released.notify_one();
    assert_eq!(client.hear()["result"]["isError"], json!(false));
    client.say(&ask(1, "ping", "{}"));
    assert_eq!(
        client.hear(),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}})
    );
    assert_eq!(client.leave(), "");
}

/// A cancelled call is not answered, its id stays barred, and the next request works.
#[test]
fn cancelled_call_is_not_answered() {
    let mut client = Client::of(Echo::default());
    client.say(WAIT);
    client.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    client.say(&ask(1, "ping", "{}"));
    assert_eq!(client.hear()["error"]["code"], json!(-32600));
    client.say(&call(2, "{}"));
    assert_eq!(client.hear()["id"], json!(2));
    assert_eq!(client.leave(), "");
}
