//! The snapshot of a tool: name, title, description, schemas and hints, as MCP clients are told them.

use serde_json::{Value, json};

use super::{Page, fault};
use crate::engine::{Domain, Effect, OpDef, Result, input_schema, output_schema};

/// A tool as `tools/list` gives it. The hints follow from the effect.
pub fn tool(op: &OpDef, domains: &[&Domain]) -> Value {
    let (title, description) = op.description();
    let (read_only, destructive, idempotent) = match op.effect {
        Effect::Read => (true, false, true),
        Effect::Write => (false, false, op.idempotent),
        Effect::Confirm => (false, true, op.idempotent),
        Effect::Upkeep => (false, false, true),
    };
    json!({
        "name": op.tool,
        "title": title,
        "description": description,
        "inputSchema": input_schema(op),
        "outputSchema": output_schema(op, domains),
        "annotations": {
            "readOnlyHint": read_only,
            "destructiveHint": destructive,
            "idempotentHint": idempotent,
            "openWorldHint": false,
        },
    })
}

/// The snapshot's file.
pub fn file(op: &OpDef, domains: &[&Domain]) -> Result<Page> {
    let mut text =
        serde_json::to_string_pretty(&tool(op, domains)).map_err(|e| fault("writing a tool", e))?;
    text.push('\n');
    Ok((
        format!("tests/tools/{}.json", op.tool).into(),
        text.into_bytes(),
    ))
}
