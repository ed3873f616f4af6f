//! The wire with the real protocol crate behind it: a handler with one fake tool, lines in, lines out. How the bytes may
//! be cut and how streams fail is tested in `streams`, what needs a
//! client that waits for answers in `talk`.

use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::*;

mod streams;
mod talk;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// A handler whose one tool notes what it was called with, in order, and gives it back.
#[derive(Clone, Default)]
struct Echo {
    seen: Arc<Mutex<Vec<Value>>>,
    /// A call named `wait` ends when this is notified, or when it is cancelled.
    released: Arc<Notify>,
}

impl ServerHandler for Echo {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("echo", "1"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = Tool::new(
            "echo",
            "Gives back",
            Arc::new(rmcp::model::JsonObject::new()),
        );
        Ok(ListToolsResult::with_all_items(vec![tool]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        locked(&self.seen).push(arguments.clone());
        if request.name == "wait" {
            tokio::select! {
                () = self.released.notified() => {}
                () = context.ct.cancelled() => {}
            }
        }
        let text = ContentBlock::text(arguments.to_string());
        Ok(CallToolResult::success(vec![text]).into())
    }
}

fn locked<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An output that keeps what is written.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        locked(&self.0).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Kept {
    /// Every line written, each of which must be JSON; what stands after the last newline is no line.
    fn lines(&self) -> Vec<Value> {
        let bytes = locked(&self.0).clone();
        let text = String::from_utf8(bytes).expect("the output is UTF-8");
        assert!(
            text.is_empty() || text.ends_with('\n'),
            "an unfinished line: {text}"
        );
        text.lines()
            .map(|line| serde_json::from_str(line).expect("a line is JSON"))
            .collect()
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime")
        .block_on(future)
}

/// Serves `input` to its end and gives back what was written and how it ended.
fn served(
    handler: Echo,
    input: impl Read + Send + 'static,
    limit: usize,
) -> (Vec<Value>, io::Result<()>) {
    let output = Kept::default();
    let wire = Wire::new(input, output.clone(), limit).expect("threads");
    let ended = block_on(serve(handler, wire));
    (output.lines(), ended)
}

/// Serves lines after a handshake, and gives back the answers after the handshake's.
fn after_handshake(lines: &[String]) -> Vec<Value> {
    let input = format!("{INITIALIZE}\n{INITIALIZED}\n{}\n", lines.join("\n"));
    let (mut answers, ended) = served(Echo::default(), Cursor::new(input), LINE_BYTES_MAX);
    ended.expect("the end of the input is no error");
    assert_eq!(answers.remove(0)["id"], json!("open"));
    answers
}

fn ask(id: usize, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

fn call(id: usize, arguments: &str) -> String {
    ask(
        id,
        "tools/call",
        &format!(r#"{{"name":"echo","arguments":{arguments}}}"#),
    )
}

fn ids(answers: &[Value]) -> Vec<Value> {
    answers.iter().map(|answer| answer["id"].clone()).collect()
}

fn of_id(answers: &[Value], id: usize) -> Value {
    let mut found = answers.iter().filter(|answer| answer["id"] == json!(id));
    let answer = found.next().expect("an answer").clone();
    assert_eq!(found.next(), None, "a second answer to {id}");
    answer
}

/// A legacy client that discovers first, without metadata, gets a real answer, and its handshake and calls still work.
#[test]
fn discovery_without_metadata_leaves_the_handshake() {
    let bare = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#;
    let later = ask(4, "server/discover", "{}");
    let input = [
        bare,
        INITIALIZE,
        INITIALIZED,
        &call(3, r#"{"a":1}"#),
        &later,
    ]
    .join("\n");
    let (answers, ended) = served(Echo::default(), Cursor::new(input), LINE_BYTES_MAX);
    ended.expect("the end of the input is no error");
    let versions = json!([
        "2024-11-05",
        "2025-03-26",
        "2025-06-18",
        "2025-11-25",
        "2026-07-28"
    ]);
    for id in [1, 4] {
        let discovered = of_id(&answers, id);
        assert_eq!(
            discovered["result"]["supportedVersions"], versions,
            "{discovered}"
        );
        assert_eq!(discovered["result"]["capabilities"], json!({"tools": {}}));
    }
    assert_eq!(answers[0]["id"], json!(1));
    assert_eq!(answers[1]["result"]["protocolVersion"], json!("2025-06-18"));
    let result = json!({"content": [{"type": "text", "text": "{\"a\":1}"}], "isError": false});
    assert_eq!(of_id(&answers, 3)["result"], result);
}

/// Discovery with metadata is answered and leaves both lifecycles open.
#[test]
fn discovery_with_metadata_leaves_both_lifecycles() {
    let meta = format!(r#"{{"_meta":{META}}}"#);
    for next in [INITIALIZE.to_owned(), ask(2, "tools/list", &meta)] {
        let input = format!("{}\n{next}\n", ask(1, "server/discover", &meta));
        let (answers, ended) = served(Echo::default(), Cursor::new(input), LINE_BYTES_MAX);
        ended.expect("the end of the input is no error");
        assert_eq!(answers.len(), 2, "{answers:?}");
        assert!(
            answers.iter().all(|answer| answer["result"].is_object()),
            "{answers:?}"
        );
    }
}

/// The stateless revision works without a handshake, and its results carry what it demands.
#[test]
fn stateless_revision_needs_no_handshake() {
    let input = [
        ask(1, "tools/list", &format!(r#"{{"_meta":{META}}}"#)),
        ask(
            2,
            "tools/call",
            &format!(r#"{{"name":"echo","arguments":{{}},"_meta":{META}}}"#),
        ),
        ask(3, "tools/list", "{}"),
    ]
    .join("\n");
    let (answers, ended) = served(Echo::default(), Cursor::new(input), LINE_BYTES_MAX);
    ended.expect("the end of the input is no error");
    let listed = of_id(&answers, 1)["result"].clone();
    assert_eq!(
        (
            &listed["resultType"],
            &listed["cacheScope"],
            &listed["ttlMs"]
        ),
        (&json!("complete"), &json!("private"), &json!(0))
    );
    assert_eq!(
        of_id(&answers, 2)["result"]["resultType"],
        json!("complete")
    );
    assert_eq!(of_id(&answers, 3)["error"]["code"], json!(-32602));
}

/// Calls sent at once begin in the order they came, and each is answered once.
#[test]
fn pipelined_calls_begin_in_order() {
    let handler = Echo::default();
    let calls: Vec<String> = (0..500)
        .map(|id| call(id, &format!(r#"{{"n":{id}}}"#)))
        .collect();
    let input = format!("{INITIALIZE}\n{}\n", calls.join("\n"));
    let (answers, ended) = served(handler.clone(), Cursor::new(input), LINE_BYTES_MAX);
    ended.expect("the end of the input is no error");
    let expected: Vec<Value> = (0..500).map(|id| json!({"n": id})).collect();
    assert_eq!(*locked(&handler.seen), expected);
    for id in 0..500 {
        assert!(of_id(&answers, id)["result"].is_object());
    }
    assert_eq!(answers.len(), 501);
}

/// An input that ends only once the handler has been called, and then releases the call.
struct EndsMidCall {
    text: Cursor<String>,
    handler: Echo,
}

impl Read for EndsMidCall {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.text.read(buffer)?;
        if count == 0 {
            while locked(&self.handler.seen).is_empty() {
                thread::yield_now();
            }
            self.handler.released.notify_one();
        }
        Ok(count)
    }
}

/// A call that runs when the input ends is still answered, and the end is no error.
#[test]
fn running_call_is_answered_after_the_end() {
    let handler = Echo::default();
    let wait = ask(1, "tools/call", r#"{"name":"wait","arguments":{"a":1}}"#);
    let text = Cursor::new(format!("{INITIALIZE}\n{wait}\n"));
    let input = EndsMidCall {
        text,
        handler: handler.clone(),
    };
    let (answers, ended) = served(handler, input, LINE_BYTES_MAX);
    ended.expect("the end of the input is no error");
    assert_eq!(ids(&answers), [json!("open"), json!(1)]);
}

/// No input at all, and garbage alone, end without an error; the garbage is answered before the end.
#[test]
fn end_before_any_session_is_no_error() {
    let (answers, ended) = served(Echo::default(), Cursor::new(""), LINE_BYTES_MAX);
    assert_eq!((answers, ended.is_ok()), (vec![], true));
    let (answers, ended) = served(Echo::default(), Cursor::new("{"), LINE_BYTES_MAX);
    let error = json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": {"code": -32700, "message": "Parse error: EOF while parsing an object at line 1 column 1"},
    });
    assert_eq!((answers, ended.is_ok()), (vec![error], true));
}

/// Early notifications and answers do not end the session that comes after them.
#[test]
fn early_notifications_are_ignored() {
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let input = [INITIALIZED, answer, INITIALIZE, &call(1, "{}")].join("\n");
    let (answers, ended) = served(Echo::default(), Cursor::new(input), LINE_BYTES_MAX);
    ended.expect("the end of the input is no error");
    assert_eq!(ids(&answers), [json!("open"), json!(1)]);
}

/// Every request with a readable id gets one answer with that id, among lines that are no messages.
#[test]
fn every_readable_id_is_answered_once() {
    let answers = after_handshake(&[
        call(1, "{}"),
        "{".to_owned(),
        ask(2, "foo/bar", "{}"),
        ask(3, "tools/call", "{}"),
        "[]".to_owned(),
        ask(4, "tools/list", "{}"),
        ask(5, "ping", "{}"),
    ]);
    let code = |id| of_id(&answers, id)["error"]["code"].clone();
    assert_eq!((code(2), code(3)), (json!(-32601), json!(-32602)));
    assert_eq!(of_id(&answers, 5)["result"], json!({}));
    assert_eq!(answers.len(), 7);
}
