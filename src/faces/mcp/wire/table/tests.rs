//! The table of the wire, row by row, in an open session. What depends on earlier lines is tested in `session`.

use proptest::prelude::*;
use rmcp::model::JsonRpcMessage;
use serde_json::{Value, json};

use super::*;

mod session;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;

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
        Verdict::Reject(rejection) => rejected(json!(rejection.id), rejection.code.0),
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
    let note = nested(200_000).replace(r#""id":2,"#, "");
    assert_eq!(said(note.as_bytes(), &mut open()), json!("ignore"));
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

proptest! {
    /// Any bytes get a verdict, and a rejection of them is one line of JSON.
    #[test]
    fn any_bytes_get_a_verdict(line in prop::collection::vec(any::<u8>(), 0..64)) {
        judged_cleanly(&line)?;
    }

    /// A request with any bytes overwritten gets a verdict, and a rejection of it is one line of JSON.
    #[test]
    fn any_damage_gets_a_verdict(at in 0..100_usize, with in prop::collection::vec(any::<u8>(), 0..4)) {
        let mut line = ask("tools/call", r#"{"name":"t","arguments":{"a":["\u00e9",1]}}"#).into_bytes();
        let at = at.min(line.len());
        let end = (at + with.len()).min(line.len());
        line.splice(at..end, with);
        judged_cleanly(&line)?;
    }
}

fn judged_cleanly(line: &[u8]) -> Result<(), TestCaseError> {
    if let Verdict::Reject(rejection) = classify(line, &mut open()) {
        let code = rejection.code;
        let known = [
            ErrorCode::PARSE_ERROR,
            ErrorCode::INVALID_REQUEST,
            ErrorCode::METHOD_NOT_FOUND,
            ErrorCode::INVALID_PARAMS,
        ];
        prop_assert!(known.contains(&code));
        let text = serde_json::to_string(&ServerJsonRpcMessage::from(rejection));
        prop_assert!(text.is_ok_and(|text| !text.contains('\n')));
    }
    Ok(())
}
