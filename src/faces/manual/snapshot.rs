//! The snapshot of a tool as MCP clients are told it. What is told is the business of the MCP face.

use super::{Page, fault};
use crate::{
    engine::{Domain, OpDef, Result},
    faces::mcp,
};

/// The snapshot's file.
pub fn file(op: &OpDef, domains: &[&Domain]) -> Result<Page> {
    let tool = mcp::tool(op, domains, false);
    let mut text = serde_json::to_string_pretty(&tool).map_err(|e| fault("writing a tool", e))?;
    text.push('\n');
    Ok((
        format!("tests/tools/{}.json", op.tool).into(),
        text.into_bytes(),
    ))
}
