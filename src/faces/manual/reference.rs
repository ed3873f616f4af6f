//! The reference: one page a group of verbs, with every operation's arguments, result and examples; pages that list all
//! operations, resources and exit codes. Refusals are a page kept by hand; events have their own.

use std::{collections::BTreeMap, fmt::Write};

use serde_json::{Map, Value};

use super::{
    Page,
    markdown::{code, plain, table},
};
use crate::{
    engine::{CONTROLS, Domain, OpDef, full_output_schema, input_schema, operations},
    faces::terminal::Exit,
};

/// A page for each group, one that lists every operation, one for the resources, and one for the exit codes.
pub fn pages(domains: &[&Domain]) -> Vec<Page> {
    let mut groups: BTreeMap<&str, Vec<&OpDef>> = BTreeMap::new();
    for op in operations(domains) {
        let (group, word) = op.group_and_word();
        groups.entry(group.unwrap_or(word)).or_default().push(op);
    }
    let mut pages = vec![(
        "docs/reference/operations.md".into(),
        list(domains).into_bytes(),
    )];
    pages.push((
        "docs/reference/exit-codes.md".into(),
        exit_codes().into_bytes(),
    ));
    pages.push((
        "docs/reference/resources.md".into(),
        resources(domains).into_bytes(),
    ));
    for (group, verbs) in groups {
        let about = domains
            .iter()
            .flat_map(|d| d.groups)
            .find(|(name, _)| *name == group);
        let about = about.map_or("", |(_, about)| about);
        let text = page((group, about), &verbs, domains);
        pages.push((
            format!("docs/reference/{group}.md").into(),
            text.into_bytes(),
        ));
    }
    pages
}

/// The page that lists every operation.
fn list(domains: &[&Domain]) -> String {
    let row = |op: &OpDef| {
        let (group, word) = op.group_and_word();
        let anchor = op.verb.replace(' ', "-");
        let link = format!(
            "[`wb {}`]({}.md#wb-{anchor})",
            op.verb,
            group.unwrap_or(word)
        );
        vec![
            link,
            tool_name(op),
            op.effect.word().to_owned(),
            plain(&op.description().0),
        ]
    };
    let rows: Vec<_> = operations(domains).map(row).collect();
    let all = table(&["Verb", "Tool", "Effect", "What it does"], &rows);
    format!(
        "# Operations\n\nEvery operation is a verb of the terminal and a tool over MCP.\n\n{}\n",
        all.trim_end()
    )
}

/// The page of exit codes, from the terminal's own table.
fn exit_codes() -> String {
    let row = |exit: &Exit| vec![code(&exit.code().to_string()), plain(exit.meaning())];
    let rows: Vec<_> = Exit::ALL.iter().map(row).collect();
    let all = table(&["Code", "Meaning"], &rows);
    format!(
        "# Exit codes\n\nHow `wb` ends, for the shell and for scripts.\n\n{}\n",
        all.trim_end()
    )
}

/// The page of resources: what also has an address.
fn resources(domains: &[&Domain]) -> String {
    let row = |op: &OpDef| {
        let (group, word) = op.group_and_word();
        let anchor = op.verb.replace(' ', "-");
        let link = format!(
            "[{}]({}.md#wb-{anchor})",
            code(op.tool),
            group.unwrap_or(word)
        );
        Some(vec![code(op.resource?), link, plain(&op.description().0)])
    };
    let rows: Vec<_> = operations(domains).filter_map(row).collect();
    let all = table(&["Address", "Same as the tool", "What it is"], &rows);
    format!(
        "# Resources\n\nResults of reading tools that an MCP client can also fetch by address (`resources/read`), as JSON. A name in \
         braces stands for an argument; those after `?` may be left out, and are written `?name=value&name=value`. Addresses that \
         need no argument are listed by `resources/list`, the others by `resources/templates/list`. A server offers the resources \
         of the tools it offers.\n\n{}\n",
        all.trim_end()
    )
}

fn tool_name(op: &OpDef) -> String {
    if op.is_tool() {
        code(op.tool)
    } else {
        "terminal only".to_owned()
    }
}

fn page((group, about): (&str, &str), verbs: &[&OpDef], domains: &[&Domain]) -> String {
    let mut out = format!("# {group}\n\n");
    // Writing to a String cannot fail.
    if !about.is_empty() {
        let _ = writeln!(out, "{}\n", plain(about));
    }
    for op in verbs {
        let (_, long) = op.description();
        let _ = writeln!(out, "## wb {}\n", op.verb);
        let _ = writeln!(
            out,
            "Tool: {}. Effect: {} ({}).\n",
            tool_name(op),
            op.effect.word(),
            op.effect.meaning()
        );
        let _ = writeln!(out, "{}\n", long.trim().replace('<', "&lt;"));
        out.push_str(&arguments(op));
        out.push_str(&result(op, domains));
        out.push_str(&examples(op));
    }
    format!("{}\n", out.trim_end())
}

/// A schema's properties, and which of them are required.
fn properties(schema: &Map<String, Value>) -> Vec<(&String, &Value, bool)> {
    let required: Vec<&str> = match schema.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    match schema.get("properties") {
        Some(Value::Object(properties)) => properties
            .iter()
            .map(|(name, property)| (name, property, required.contains(&name.as_str())))
            .collect(),
        _ => Vec::new(),
    }
}

/// What kind of value a property takes: `text`, `whole number`, `one of …`, a list.
fn kind(property: &Value) -> String {
    if let Some(Value::Array(words)) = property.get("enum") {
        let words: Vec<String> = words.iter().filter_map(Value::as_str).map(code).collect();
        return format!("one of {}", words.join(", "));
    }
    let word = |word: &str| match word {
        "string" => match property.get("format").and_then(Value::as_str) {
            Some(format) => format!("text ({format})"),
            None => "text".to_owned(),
        },
        "integer" => "whole number".to_owned(),
        "boolean" => "true or false".to_owned(),
        "array" => match property.get("items") {
            Some(items) => format!("list ({})", kind(items)),
            None => "list".to_owned(),
        },
        other => other.to_owned(),
    };
    match property.get("type") {
        Some(Value::String(one)) => word(one),
        Some(Value::Array(several)) => {
            let words: Vec<String> = several.iter().filter_map(Value::as_str).map(word).collect();
            words.join(" or ")
        }
        _ => "value".to_owned(),
    }
}

/// A property's meaning, its default and its inner fields.
fn about(property: &Value) -> String {
    let mut text = property
        .get("description")
        .and_then(Value::as_str)
        .map(plain)
        .unwrap_or_default();
    if let Some(default) = property.get("default") {
        let _ = write!(text, " (default {})", code(&default.to_string()));
    }
    let inner = property.get("items").unwrap_or(property).as_object();
    let fields: Vec<String> = inner
        .map(properties)
        .unwrap_or_default()
        .iter()
        .map(|(name, _, required)| code(&format!("{name}{}", if *required { "" } else { "?" })))
        .collect();
    if !fields.is_empty() {
        let _ = write!(text, " ({})", fields.join(", "));
    }
    text.trim().to_owned()
}

fn row((name, property, required): &(&String, &Value, bool)) -> Vec<String> {
    let needed = if *required { "yes" } else { "" };
    vec![
        code(name),
        kind(property),
        needed.to_owned(),
        about(property),
    ]
}

/// How an argument is written on the terminal, for the argument of this name.
fn word(op: &OpDef, name: &str) -> String {
    let command = (op.augment)(clap::Command::new(op.verb));
    let found = command
        .get_arguments()
        .find(|arg| arg.get_id().as_str() == name);
    let spelled = found.map(|arg| match (arg.get_long(), arg.get_value_names()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(values)) => values.join(" "),
        (None, None) => arg.get_id().as_str().to_uppercase(),
    });
    let engine = || match name {
        "confirmed" => "--confirm".to_owned(),
        other => format!("--{}", other.replace('_', "-")),
    };
    match spelled {
        Some(spelled) => code(&spelled),
        None if CONTROLS.contains(&name) => code(&engine()),
        None => String::new(),
    }
}

fn arguments(op: &OpDef) -> String {
    let schema = input_schema(op);
    let with_word = |property: &(&String, &Value, bool)| {
        let mut cells = row(property);
        cells.insert(1, word(op, property.0));
        cells
    };
    let rows: Vec<_> = properties(&schema).iter().map(with_word).collect();
    if rows.is_empty() {
        return "It takes no arguments.\n\n".to_owned();
    }
    let headings = [
        "Argument",
        "On the terminal",
        "Takes",
        "Required",
        "Meaning",
    ];
    table(&headings, &rows)
}

fn result(op: &OpDef, domains: &[&Domain]) -> String {
    let schema = full_output_schema(op, domains);
    let rows: Vec<_> = properties(&schema).iter().map(row).collect();
    table(&["Result", "Holds", "Always", "Meaning"], &rows)
}

fn examples(op: &OpDef) -> String {
    let shown = |text: &str| text.replace("{draft}", "5").replace("{posted}", "4");
    let mut out = String::new();
    for example in op.examples {
        let words = format!("wb {} {}", op.verb, shown(example.words));
        let _ = writeln!(
            out,
            "```sh\n{}\n```\n\n```json\n{}\n```\n",
            words.trim_end(),
            shown(example.json)
        );
    }
    out
}
