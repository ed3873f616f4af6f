//! Resources of the real program: what is listed, what is read by address, and what is refused.

use serde_json::{Value, json};

use super::{
    ERAS,
    client::{Client, Era},
};
use crate::stage::Stage;

/// The addresses that need no argument, and the tools whose results they give, in the order of the registry.
const WHOLE: [(&str, &str); 6] = [
    ("books://chart", "books.chart"),
    ("books://reports/trial-balance", "books.trial_balance"),
    ("books://reports/balance-sheet", "books.balance_sheet"),
    ("books://reports/profit-and-loss", "books.profit_and_loss"),
    ("books://reports/cash-flow", "books.cash_flow"),
    ("books://digest", "books.digest"),
];

/// Addresses with arguments.
const TEMPLATES: [(&str, &str); 5] = [
    (
        "books://reports/trial-balance{?as_of}",
        "books.trial_balance",
    ),
    (
        "books://reports/balance-sheet{?as_of}",
        "books.balance_sheet",
    ),
    (
        "books://reports/profit-and-loss{?start,end}",
        "books.profit_and_loss",
    ),
    ("books://reports/cash-flow{?start,end}", "books.cash_flow"),
    ("books://digest{?since}", "books.digest"),
];

/// A key of each member of a list, with its name.
fn pairs(answer: &Value, list: &str, key: &str) -> Vec<(String, String)> {
    let members = answer["result"][list].as_array().expect("a list");
    let text = |member: &Value, key: &str| member[key].as_str().expect("a text").to_owned();
    let pair = |member: &Value| (text(member, key), text(member, "name"));
    members.iter().map(pair).collect()
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let own = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
    pairs.iter().map(own).collect()
}

fn read(client: &mut Client, uri: &str) -> Value {
    client.ask("resources/read", json!({"uri": uri}))
}

/// Every resource is listed with its tool's name and a title, those that take arguments as templates too; each is JSON.
#[test]
fn listed() {
    let stage = Stage::small();
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        let whole = client.ask("resources/list", json!({}));
        let found = pairs(&whole, "resources", "uri");
        assert!(
            WHOLE
                .iter()
                .all(|(uri, tool)| found.contains(&((*uri).to_owned(), (*tool).to_owned()))),
            "{found:?}"
        );
        let templates = client.ask("resources/templates/list", json!({}));
        let found = pairs(&templates, "resourceTemplates", "uriTemplate");
        for (uri, tool) in owned(&TEMPLATES) {
            assert!(found.contains(&(uri, tool)), "{found:?}");
        }
        for (answer, list) in [(&whole, "resources"), (&templates, "resourceTemplates")] {
            let members = answer["result"][list].as_array().expect("a list");
            for member in members {
                assert_eq!(member["mimeType"], "application/json", "{member}");
                assert!(
                    member["title"].as_str().is_some_and(|t| t.len() > 10),
                    "{member}"
                );
            }
            let fresh = (era == Era::Stateless).then(|| json!(3_600_000));
            assert_eq!(answer["result"].get("ttlMs"), fresh.as_ref());
        }
        let refused = client.ask("resources/list", json!({"cursor": "1"}));
        assert_eq!(refused["error"]["code"], -32602);
        client.works();
        assert_eq!(client.leave(), "");
    }
}

/// A resource is the tool's result as JSON text, with or without arguments, and stale at once.
#[test]
fn reading() {
    let stage = Stage::small();
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        let mut cases: Vec<(&str, &str, Value)> = WHOLE
            .iter()
            .map(|(uri, tool)| (*uri, *tool, json!({})))
            .collect();
        cases.push((
            "books://digest?since=2026-01-01",
            "books.digest",
            json!({"since": "2026-01-01"}),
        ));
        cases.push((
            "books://digest?since=2026%2D01-01",
            "books.digest",
            json!({"since": "2026-01-01"}),
        ));
        cases.push((
            "books://reports/profit-and-loss?start=2026-01-01&end=2026-01-31",
            "books.profit_and_loss",
            json!({"start": "2026-01-01", "end": "2026-01-31"}),
        ));
        for (uri, tool, args) in cases {
            let answer = read(&mut client, uri);
            let contents = answer["result"]["contents"].as_array().expect("contents");
            let [content] = contents.as_slice() else {
                panic!("one content: {answer}");
            };
            assert_eq!(
                (&content["uri"], &content["mimeType"]),
                (&json!(uri), &json!("application/json"))
            );
            let text = content["text"].as_str().expect("a text");
            let value: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(Ok(value), client.tool(tool, args), "{uri}");
            let stale = (era == Era::Stateless).then(|| json!(0));
            assert_eq!(answer["result"].get("ttlMs"), stale.as_ref());
        }
        assert_eq!(client.leave(), "");
    }
}

/// An address that is no resource, and arguments that a resource does not take, are errors of the protocol; the refusal of
/// the operation stands with the error.
#[test]
fn refusals() {
    let stage = Stage::small();
    for era in ERAS {
        let mut client = Client::of(&stage, era);
        for uri in [
            "books://nothing",
            "books://chart/",
            "books://chart?limit=5",
            "books://digest?until=2026-01-01",
            "books://digest?since=2026-01-01&since=2026-01-02",
            "file:///etc/passwd",
            "",
        ] {
            let answer = read(&mut client, uri);
            assert_eq!(answer["error"]["code"], -32602, "{era:?} {uri}: {answer}");
        }
        let answer = read(&mut client, "books://digest?since=yesterday");
        let error = &answer["error"];
        assert_eq!(error["code"], -32602, "{answer}");
        let refusal = (
            &error["data"]["code"],
            &error["data"]["field"],
            &error["data"]["message"],
        );
        assert_eq!(
            refusal,
            (
                &json!("invalid_arguments"),
                &json!("since"),
                &error["message"]
            ),
            "{answer}"
        );
        client.works();
        assert_eq!(client.leave(), "");
    }
}

/// A server offers the resources of the tools that it offers: of its toolsets, and of those that read.
#[test]
fn chosen() {
    let stage = Stage::small();
    let uris = |options: &[&str]| -> Vec<String> {
        let mut client = Client::with(&stage, Era::Stateless, options);
        let listed = pairs(&client.ask("resources/list", json!({})), "resources", "uri");
        let chart = read(&mut client, "books://chart");
        let offered = listed.iter().any(|(uri, _)| uri == "books://chart");
        assert_eq!(chart.get("result").is_some(), offered, "{chart}");
        assert_eq!(client.leave(), "");
        listed.into_iter().map(|(uri, _)| uri).collect()
    };
    let reports = [1, 2, 3, 4].map(|place: usize| WHOLE[place].0);
    assert_eq!(uris(&["--tools", "report"]), reports);
    assert_eq!(uris(&["--tools", "entry"]), Vec::<String>::new());
    assert_eq!(uris(&["--tools", "chart,digest"]), [WHOLE[0].0, WHOLE[5].0]);
    let all = uris(&[]);
    // Every resource reads, so a server that only reads offers them all.
    assert_eq!(uris(&["--read-only"]), all);
    let mut client = Client::with(&stage, Era::Stateless, &["--tool-names", "underscore"]);
    let listed = pairs(&client.ask("resources/list", json!({})), "resources", "uri");
    assert_eq!(
        listed[0],
        ("books://chart".to_owned(), "books_chart".to_owned())
    );
    assert_eq!(client.leave(), "");
}
