//! The table of the wire, row by row.

use rmcp::model::JsonRpcMessage;
use serde_json::{Value, json};

use super::*;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// A state after the handshake.
fn open() -> State {
    let mut state = State::default();
    assert_eq!(
        said(INITIALIZE.as_bytes(), &mut state),
        json!({"pass": "open"})
    );
    state.answered(&RequestId::String("open".into()));
    state
}

/// The verdict as JSON: `{"pass": id}`, `{"note": method}`, `"ignore"` or `{"id", "code"}`.
fn said(line: &[u8], state: &mut State) -> Value {
    match classify(line, state) {
        Verdict::Ignore => json!("ignore"),
        Verdict::Reject(Rejection { id, error }) => json!({"id": id, "code": error.code.0}),
        Verdict::Pass(message) => match *message {
            JsonRpcMessage::Request(request) => json!({"pass": request.id}),
            JsonRpcMessage::Notification(note) => {
                let text = serde_json::to_value(note.notification).expect("a message is JSON");
                json!({"note": text["method"]})
            }
            JsonRpcMessage::Response(response) => json!({"answer": response.id}),
            JsonRpcMessage::Error(error) => json!({"answer": error.id}),
        },
    }
}

fn rejected(id: Value, code: i32) -> Value {
    json!({"id": id, "code": code})
}

/// A request with id 2.
fn ask(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":2,"method":"{method}","params":{params}}}"#)
}

/// Every line of `rows` gets its verdict in an open session of its own.
fn holds(rows: &[(&str, Value)]) {
    for (line, verdict) in rows {
        assert_eq!(&said(line.as_bytes(), &mut open()), verdict, "{line}");
    }
}

/// What is no JSON is a parse error with a null id.
#[test]
fn unreadable_lines_are_parse_errors() {
    let parse = || rejected(Value::Null, -32700);
    holds(&[
        ("{", parse()),
        ("not json", parse()),
        (r#"{"jsonrpc":"2.0","id":2,"method":"ping""#, parse()),
        (r#"{"jsonrpc":"2.0","id":2,"method":"ping"} x"#, parse()),
        (r#"{"jsonrpc":"2.0","id":2,"method":"ping"}{}"#, parse()),
        ("[1,", parse()),
        ("\"x", parse()),
        ("\u{7}", parse()),
    ]);
    let line = b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"\xff\"}";
    assert_eq!(said(line, &mut open()), parse());
}

/// What is JSON but no request is an invalid request with a null id.
#[test]
fn values_that_are_no_request_are_invalid() {
    let invalid = || rejected(Value::Null, -32600);
    holds(&[
        ("42", invalid()),
        ("\"x\"", invalid()),
        ("null", invalid()),
        ("[]", invalid()),
        (r#"[{"jsonrpc":"2.0","id":2,"method":"ping"}]"#, invalid()),
        ("{}", invalid()),
        (r#"{"jsonrpc":"2.0"}"#, invalid()),
        (
            r#"{"jsonrpc":"1.0","method":"notifications/initialized"}"#,
            invalid(),
        ),
    ]);
}

/// An invalid request is answered with its id where that can be read.
#[test]
fn invalid_requests_keep_their_id() {
    let invalid = || rejected(json!(2), -32600);
    holds(&[
        (r#"{"jsonrpc":"2.0","id":2}"#, invalid()),
        (r#"{"id":2,"method":"ping"}"#, invalid()),
        (r#"{"jsonrpc":"1.0","id":2,"method":"ping"}"#, invalid()),
        (r#"{"jsonrpc":2.0,"id":2,"method":"ping"}"#, invalid()),
        (r#"{"jsonrpc":"2.0","id":2,"method":5}"#, invalid()),
        (r#"{"jsonrpc":"2.0","id":2,"method":""}"#, invalid()),
        (
            r#"{"jsonrpc":"2.0","id":2,"method":"ping","result":{}}"#,
            invalid(),
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"method":"ping","method":"tools/list"}"#,
            invalid(),
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"method":"ping","params":{},"params":{}}"#,
            invalid(),
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"method":"ping","x":1,"x":1}"#,
            invalid(),
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"id":3,"method":"ping"}"#,
            rejected(Value::Null, -32600),
        ),
    ]);
}

/// An id is a string or an integer of 64 bits; anything else is invalid with a null id.
#[test]
fn ids_are_strings_or_integers() {
    let with = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    for id in ["0", "-1", "9223372036854775807", "\"\"", "\"a\"", "\"é\""] {
        let value: Value = serde_json::from_str(id).expect("JSON");
        assert_eq!(
            said(with(id).as_bytes(), &mut open()),
            json!({"pass": value}),
            "{id}"
        );
    }
    for id in [
        "null",
        "1.5",
        "true",
        "{}",
        "[1]",
        "9223372036854775808",
        "1e400",
        "\"\\ud800\"",
    ] {
        let verdict = said(with(id).as_bytes(), &mut open());
        assert_eq!(verdict, rejected(Value::Null, -32600), "{id}");
    }
}

/// Sixty-four levels pass; one more is an invalid request that keeps its id, also where the text is no JSON at all.
#[test]
fn nesting_is_bounded() {
    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        ask(
            "tools/call",
            &format!(r#"{{"name":"t","arguments":{{"a":{open}{close}}}}}"#),
        )
    };
    // The envelope, params and arguments are three levels.
    assert_eq!(said(nested(61).as_bytes(), &mut open()), json!({"pass": 2}));
    assert_eq!(
        said(nested(62).as_bytes(), &mut open()),
        rejected(json!(2), -32600)
    );
    assert_eq!(
        said(nested(200_000).as_bytes(), &mut open()),
        rejected(json!(2), -32600)
    );
    let broken = "[".repeat(200_000);
    assert_eq!(
        said(broken.as_bytes(), &mut open()),
        rejected(Value::Null, -32600)
    );
}

/// A method we do not have is unknown, before the handshake too and whatever its params are.
#[test]
fn unknown_methods_are_unknown_at_any_time() {
    for line in [
        ask("foo/bar", "{}"),
        ask("foo/bar", "[]"),
        ask("notifications/initialized", "{}"),
        ask("tasks/get", "{}"),
        ask("Ping", "{}"),
    ] {
        for mut state in [State::default(), open()] {
            assert_eq!(
                said(line.as_bytes(), &mut state),
                rejected(json!(2), -32601),
                "{line}"
            );
        }
    }
}

/// Params that do not fit their method are invalid params with the id, never an unknown method.
#[test]
fn unfit_params_are_invalid_params() {
    for line in [
        ask("ping", "[]"),
        ask("ping", "5"),
        ask("tools/list", "null"),
        ask("tools/list", r#"{"cursor":5}"#),
        ask("tools/call", "{}"),
        ask("tools/call", r#"{"name":5}"#),
        ask("tools/call", r#"{"name":"t","arguments":"x"}"#),
        ask("tools/call", r#"{"name":"t","arguments":[]}"#),
        ask("tools/call", r#"{"name":"t","name":"u"}"#),
        ask(
            "tools/call",
            r#"{"name":"t","arguments":{"amount":"1","amount":"2"}}"#,
        ),
        ask("tools/call", r#"{"name":"t","arguments":{"a":1e999}}"#),
        ask("tools/call", r#"{"name":"t","_meta":5}"#),
        ask("resources/read", "{}"),
        ask("initialize", "{}"),
        ask("server/discover", r#"{"_meta":5}"#),
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":2,"method":"initialize"}"#.to_owned(),
    ] {
        assert_eq!(
            said(line.as_bytes(), &mut open()),
            rejected(json!(2), -32602),
            "{line}"
        );
    }
}

/// A well-formed request passes, with or without optional params, with null arguments, with escapes in its names.
#[test]
fn requests_pass() {
    for line in [
        ask("ping", "{}"),
        ask("tools/list", "{}"),
        ask(
            "tools/list",
            r#"{"cursor":"x","_meta":{"progressToken":1}}"#,
        ),
        ask("tools/call", r#"{"name":"t"}"#),
        ask("tools/call", r#"{"name":"t","arguments":null}"#),
        ask("tools/call", r#"{"name":"t","arguments":{"a":1.5}}"#),
        ask(r"tools\/call", r#"{"n\u0061me":"t","arguments":{}}"#),
        ask("resources/read", r#"{"uri":"books://chart"}"#),
        ask("server/discover", "{}"),
        r#"{"jsonrpc":"2.0","id":2,"method":"server/discover"}"#.to_owned(),
        r#" {"method":"tools/list","extra":[1],"id":2,"jsonrpc":"2.0"} "#.to_owned(),
        "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\r".to_owned(),
    ] {
        assert_eq!(
            said(line.as_bytes(), &mut open()),
            json!({"pass": 2}),
            "{line}"
        );
    }
}

/// A blank line, a carriage return, a byte-order mark alone are nothing.
#[test]
fn blank_lines_are_nothing() {
    holds(&[
        ("", json!("ignore")),
        ("\r", json!("ignore")),
        (" \t", json!("ignore")),
        ("\u{feff}", json!("ignore")),
    ]);
}

/// Notifications are passed on or ignored, never answered; early ones and answers are ignored.
#[test]
fn notifications_are_never_answered() {
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let call = r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"t"}}"#;
    let odd = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#;
    let answer = r#"{"jsonrpc":"2.0","id":9,"result":{}}"#;
    let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#;
    holds(&[
        (initialized, json!({"note": "notifications/initialized"})),
        (call, json!({"note": "tools/call"})),
        (odd, json!("ignore")),
        (answer, json!({"answer": 9})),
        (error, json!({"answer": null})),
        (r#"{"jsonrpc":"2.0","id":9,"error":5}"#, json!("ignore")),
    ]);
    for line in [initialized, call, odd, answer, error] {
        assert_eq!(
            said(line.as_bytes(), &mut State::default()),
            json!("ignore"),
            "{line}"
        );
    }
}

/// Before the handshake only the handshake, ping and discovery pass; a request that describes itself opens instead.
#[test]
fn session_opens_once() {
    let list = ask("tools/list", "{}");
    let note = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let described = |meta: &str| ask("tools/list", &format!(r#"{{"_meta":{meta}}}"#));
    let future = META.replace("2026-07-28", "2027-01-01");
    let partial = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
    let rows = [
        (list.clone(), rejected(json!(2), -32600), false),
        (ask("ping", "{}"), json!({"pass": 2}), false),
        (ask("server/discover", "{}"), json!({"pass": 2}), false),
        (
            ask("server/discover", &format!(r#"{{"_meta":{META}}}"#)),
            json!({"pass": 2}),
            false,
        ),
        (described(META), json!({"pass": 2}), true),
        (described(&future), json!({"pass": 2}), false),
        (described(partial), json!({"pass": 2}), false),
        (
            described(r#"{"progressToken":1}"#),
            rejected(json!(2), -32600),
            false,
        ),
    ];
    for (line, verdict, opens) in rows {
        let mut state = State::default();
        assert_eq!(said(line.as_bytes(), &mut state), verdict, "{line}");
        let noted = said(note, &mut state) != json!("ignore");
        assert_eq!(noted, opens, "{line}");
    }
    assert_eq!(said(list.as_bytes(), &mut open()), json!({"pass": 2}));
}

/// A bare discovery is lent the metadata that rmcp demands; one that describes itself, even in part, keeps its own.
#[test]
fn bare_discovery_is_lent_its_metadata() {
    let meta = |line: &str, state: &mut State| {
        let Verdict::Pass(message) = classify(line.as_bytes(), state) else {
            panic!("{line} should pass");
        };
        let JsonRpcMessage::Request(request) = *message else {
            panic!("{line} is a request");
        };
        serde_json::to_value(request.request.get_meta()).expect("metadata is JSON")
    };
    let full: Value = serde_json::from_str(META).expect("JSON");
    let bare = r#"{"jsonrpc":"2.0","id":2,"method":"server/discover"}"#;
    assert_eq!(meta(bare, &mut State::default()), full);
    assert_eq!(meta(bare, &mut open()), full);
    let partial = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
    let line = ask("server/discover", &format!(r#"{{"_meta":{partial}}}"#));
    assert_eq!(
        meta(&line, &mut State::default()),
        serde_json::from_str::<Value>(partial).expect("JSON")
    );
    let mut stateless = State::default();
    said(
        ask("tools/list", &format!(r#"{{"_meta":{META}}}"#)).as_bytes(),
        &mut stateless,
    );
    stateless.answered(&RequestId::Number(2));
    assert_eq!(meta(bare, &mut stateless), json!({}));
}

/// An id in flight is refused until its answer is sent; the number 2 and the string "2" are two ids.
#[test]
fn ids_in_flight_are_in_use() {
    let mut state = open();
    let ping = ask("ping", "{}");
    let text = ping.replace(r#""id":2"#, r#""id":"2""#);
    assert_eq!(said(ping.as_bytes(), &mut state), json!({"pass": 2}));
    assert_eq!(
        said(ping.as_bytes(), &mut state),
        rejected(json!(2), -32600)
    );
    assert_eq!(said(text.as_bytes(), &mut state), json!({"pass": "2"}));
    state.answered(&RequestId::Number(2));
    assert_eq!(said(ping.as_bytes(), &mut state), json!({"pass": 2}));
}

/// A cancelled request's id stays barred, because its handler may still answer; a cancelled stranger changes nothing.
#[test]
fn cancelled_ids_stay_barred() {
    let mut state = open();
    let ping = ask("ping", "{}");
    let cancel =
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#;
    let passed = json!({"note": "notifications/cancelled"});
    assert_eq!(said(cancel, &mut state), passed);
    assert_eq!(said(ping.as_bytes(), &mut state), json!({"pass": 2}));
    assert_eq!(said(cancel, &mut state), passed);
    assert_eq!(
        said(ping.as_bytes(), &mut state),
        rejected(json!(2), -32600)
    );
}

/// A hundred unreadable lines in a row are hopeless; one request among them starts the count anew.
#[test]
fn unreadable_lines_are_counted() {
    let mut state = open();
    for _ in 0..99 {
        said(b"{", &mut state);
    }
    assert!(!state.is_hopeless());
    said(ask("foo", "{}").as_bytes(), &mut state);
    for _ in 0..99 {
        said(b"{", &mut state);
        said(b"", &mut state);
    }
    assert!(!state.is_hopeless());
    said(b"\xff", &mut state);
    assert!(state.is_hopeless());
}

/// A rejection says what is wrong and quotes nothing of the line.
#[test]
fn rejections_quote_nothing() {
    for line in [
        ask("CANARY", "{}"),
        ask("tools/call", r#"{"name":"t","arguments":"CANARY"}"#),
        ask("resources/read", r#"{"uri":["CANARY"]}"#),
        r#"{"jsonrpc":"CANARY","id":2,"method":"ping"}"#.to_owned(),
        r#"{"CANARY":CANARY}"#.to_owned(),
    ] {
        let Verdict::Reject(rejection) = classify(line.as_bytes(), &mut open()) else {
            panic!("{line} should be rejected");
        };
        assert!(
            !format!("{rejection:?}").contains("CANARY"),
            "{line}: {rejection:?}"
        );
    }
}
