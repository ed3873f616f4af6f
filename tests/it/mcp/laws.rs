//! Laws over the whole list of tools: names, hints, schemas, weight; and which of them a server offers.

use std::collections::BTreeMap;

use wanderbooks::engine::Effect;
use wanderbooks::faces::mcp::{tool, toolset};

use super::*;

fn names(tools: &[Value]) -> Vec<String> {
    let name = |tool: &Value| tool["name"].as_str().expect("a name").to_owned();
    tools.iter().map(name).collect()
}

fn listed(house: &House, change: impl FnOnce(&mut Options)) -> Vec<Value> {
    let mut options = house.options.clone();
    change(&mut options);
    let mut client = Client::with(house, options, Era::Stateless);
    let answer = client.ask("tools/list", json!({}));
    let result = &answer["result"];
    assert_eq!(
        (
            &result["resultType"],
            &result["cacheScope"],
            &result["ttlMs"]
        ),
        (&json!("complete"), &json!("private"), &json!(3_600_000))
    );
    client.leave().expect("the end of the input is no error");
    result["tools"].as_array().expect("tools").clone()
}

/// What the table of operations says that each tool does to the books.
fn effects() -> BTreeMap<&'static str, &'static str> {
    let rows = include_str!("../../operations.tsv").lines().skip(1);
    let row = |line: &'static str| {
        let mut cells = line.split('\t').skip(1);
        (
            cells.next().expect("a tool"),
            cells.next().expect("an effect"),
        )
    };
    rows.map(row).filter(|(tool, _)| *tool != "-").collect()
}

/// Every operation with a tool's name is a tool, in the order of the registry, with hints that follow from its effect.
#[test]
fn every_operation_is_a_tool() {
    let house = house();
    let tools = listed(&house, |_| {});
    let expected: Vec<Value> = operations()
        .map(|op| serde_json::to_value(tool(op, registry::DOMAINS, false)).expect("JSON"))
        .collect();
    assert_eq!(tools, expected);
    let effects = effects();
    for (op, tool) in operations().zip(&tools) {
        let name = tool["name"].as_str().expect("a name");
        let effect = *effects.get(name).expect("a row of the table");
        // MCP: a tool that only reads is idempotent; confirmed changes are for good; others add to the books.
        let idempotent = matches!(effect, "read" | "upkeep") || op.idempotent;
        let hints = json!({
            "readOnlyHint": effect == "read",
            "destructiveHint": effect == "confirm",
            "idempotentHint": idempotent,
            "openWorldHint": false,
        });
        assert_eq!(tool["annotations"], hints, "{}", op.tool);
        let description = tool["description"].as_str().expect("a description");
        let title = tool["title"].as_str().expect("a title");
        assert!(
            !title.is_empty() && description.starts_with(title),
            "{}",
            op.tool
        );
        if effect == "confirm" {
            assert!(description.contains("preview"), "{}", op.tool);
        }
    }
}

/// A server may offer some toolsets, only what reads, and names without dots, which may be called in either spelling.
#[test]
fn a_server_offers_what_was_chosen() {
    let house = house();
    let expected = |keep: fn(&OpDef) -> bool| -> Vec<String> {
        let kept = operations().filter(|op| keep(op));
        kept.map(|op| op.tool.to_owned()).collect()
    };
    let entry = listed(&house, |o| o.tools = Some(vec!["entry".to_owned()]));
    assert_eq!(names(&entry), expected(|op| toolset(op) == "entry"));
    let reading = listed(&house, |o| o.read_only = true);
    assert_eq!(names(&reading), expected(|op| op.effect == Effect::Read));
    let plain = listed(&house, |o| o.underscore = true);
    let dotless: Vec<String> = operations().map(|op| op.tool.replace('.', "_")).collect();
    assert_eq!(names(&plain), dotless);

    let mut options = house.options.clone();
    options.read_only = true;
    let mut client = Client::with(&house, options, Era::Stateless);
    for name in ["books.search_entries", "books_search_entries"] {
        let answer = client.ask("tools/call", json!({"name": name}));
        assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
    }
    let args = json!({"date": "2026-11-03", "description": "Paper"});
    let answer = client.ask(
        "tools/call",
        json!({"name": "books.draft_entry", "arguments": args}),
    );
    assert_eq!(answer["error"]["code"], json!(-32602), "{answer}");
    client.leave().expect("the end of the input is no error");
}

/// A server of names without dots says no name with one: not in its list, not in what it is for, not in a refusal.
#[test]
fn a_server_says_the_names_it_lists() {
    let house = house();
    let mut options = house.options.clone();
    options.underscore = true;
    let mut client = Client::with(&house, options, Era::Stateless);
    let mut said = vec![
        client.ask("tools/list", json!({})),
        client.ask("server/discover", json!({})),
        client.ask("resources/list", json!({})),
        client.ask("resources/templates/list", json!({})),
    ];
    let lost = json!({"entry_id": 99});
    let draft = json!({"date": "2026-11-03", "description": "Paper"});
    let again = json!({"code": "1000", "name": "Again", "type": "asset"});
    for (tool, args) in [
        ("books_post_entry", lost),
        ("books_draft_entry", draft),
        ("books_post_entry", json!({"entry_id": 1})),
        ("books_add_account", again),
        ("books_account_register", json!({"account": "77"})),
    ] {
        let params = json!({"name": tool, "arguments": args});
        said.push(client.ask("tools/call", params));
    }
    let texts: Vec<String> = said.iter().map(ToString::to_string).collect();
    assert!(
        texts.iter().any(|text| text.contains("remedy_tool")),
        "{texts:?}"
    );
    for op in operations() {
        for text in &texts {
            assert!(!text.contains(op.tool), "{}: {text}", op.tool);
        }
    }
    client.leave().expect("the end of the input is no error");
}

/// What every client is told of the books is short, and the same by the handshake and by discovery.
#[test]
fn instructions_are_short() {
    let house = house();
    let mut client = Client::of(&house, Era::Stateless);
    let found = client.ask("server/discover", json!({}))["result"].clone();
    let instructions = found["instructions"].as_str().expect("instructions");
    assert!(instructions.len() <= 2_048, "{}", instructions.len());
    assert!(instructions.contains("Preview before confirming"));
    assert_eq!(found["capabilities"], json!({"resources": {}, "tools": {}}));
    assert_eq!(
        (&found["ttlMs"], &found["cacheScope"]),
        (&json!(3_600_000), &json!("private"))
    );
    client.leave().expect("the end of the input is no error");
}

/// No schema holds a reference, a title, a `null` or a combinator at its top; each is closed, arguments all the way down.
#[test]
fn schemas_are_plain() {
    for op in operations() {
        let tool = serde_json::to_value(tool(op, registry::DOMAINS, false)).expect("JSON");
        for which in ["inputSchema", "outputSchema"] {
            let schema = &tool[which];
            assert_eq!(schema["type"], json!("object"), "{} {which}", op.tool);
            assert_eq!(schema["additionalProperties"], json!(false), "{}", op.tool);
            for combinator in ["oneOf", "anyOf", "allOf", "not", "if"] {
                assert_eq!(schema.get(combinator), None, "{} {which}", op.tool);
            }
            jsonschema::meta::validate(schema).expect("a schema");
            let mut faults = Vec::new();
            plain(schema, which, &mut faults);
            assert_eq!(faults, Vec::<String>::new(), "{}", op.tool);
        }
    }
}

/// Walks a schema; the names under `properties` are names, not keywords.
fn plain(schema: &Value, at: &str, faults: &mut Vec<String>) {
    let Value::Object(map) = schema else {
        if schema.is_null() || schema == "null" {
            faults.push(at.to_owned());
        }
        if let Value::Array(items) = schema {
            items.iter().for_each(|item| plain(item, at, faults));
        }
        return;
    };
    let open = at.starts_with("inputSchema")
        && map.contains_key("properties")
        && map.get("additionalProperties") != Some(&json!(false));
    if open || map.contains_key("$ref") || map.contains_key("$defs") || map.contains_key("title") {
        faults.push(at.to_owned());
    }
    for (key, value) in map {
        let at = format!("{at}/{key}");
        match value {
            Value::Object(properties) if key == "properties" => {
                for (name, property) in properties {
                    let at = format!("{at}/{name}");
                    if at.starts_with("inputSchema") && property["description"].as_str().is_none() {
                        faults.push(format!("{at} is not described"));
                    }
                    plain(property, &at, faults);
                }
            }
            _ if key == "description" => {}
            value => plain(value, &at, faults),
        }
    }
}

/// The whole list stays light. What each toolset weighs is shown by `--nocapture`, against the budget of an average tool:
/// 600 bytes for one to be chosen (name, description, arguments) and 700 more that describe its result.
#[test]
fn tools_are_light() {
    const LIST_BYTES: usize = 140_000;
    let mut sets: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut report = String::new();
    for op in operations() {
        let tool = serde_json::to_value(tool(op, registry::DOMAINS, false)).expect("JSON");
        let text = |key: &str| tool[key].as_str().map_or(0, str::len);
        let chosen = text("name") + text("description") + tool["inputSchema"].to_string().len();
        let told = tool["outputSchema"].to_string().len();
        for set in [toolset(op), "all"] {
            let sums = sets.entry(set).or_default();
            *sums = [sums[0] + 1, sums[1] + chosen, sums[2] + told];
        }
        if chosen > 600 || told > 700 {
            report += &format!("  {} {chosen} + {told}\n", op.tool);
        }
    }
    for (set, [count, chosen, told]) in sets {
        let (chosen, told) = (chosen / count, told / count);
        report += &format!("{set}: {count} tools, on average {chosen} + {told} bytes\n");
    }
    let listed = serde_json::to_string(
        &operations()
            .map(|op| tool(op, registry::DOMAINS, false))
            .collect::<Vec<_>>(),
    );
    let bytes = listed.expect("JSON").len();
    report += &format!("tools/list: {bytes} bytes\n");
    io::stdout()
        .write_all(report.as_bytes())
        .expect("an output");
    assert!(bytes < LIST_BYTES, "{report}");
}
