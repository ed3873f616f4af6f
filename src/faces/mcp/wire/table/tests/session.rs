//! Rows of the table that depend on what came before: opening, ids in use, unreadable lines in a row.

use serde_json::{Value, json};

use super::*;

const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

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
