//! The tools: what each operation looks like to a client, and which of them a server offers.

use std::{collections::HashMap, sync::Arc};

use rmcp::model::{Tool, ToolAnnotations};

use super::Options;
use crate::{
    engine::{Domain, Effect, No, OpDef, Result, input_schema, operations, output_schema},
    model::quoted,
};

/// An operation as a client sees it among these domains; with `underscore`, under the name for clients that refuse dots.
pub fn tool(op: &OpDef, domains: &[&Domain], underscore: bool) -> Tool {
    let (title, description) = op.description();
    let name = if underscore {
        op.underscored()
    } else {
        op.tool.to_owned()
    };
    Tool::new(name, description, input_schema(op))
        .with_title(title)
        .with_raw_output_schema(Arc::new(output_schema(op, domains)))
        .with_annotations(annotations(op))
}

/// The name under which an operation's tool is chosen: its verb's group, or the verb itself where it stands alone.
pub fn toolset(op: &OpDef) -> &'static str {
    let (group, word) = op.group_and_word();
    group.unwrap_or(word)
}

/// Hints that follow from the effect, so that no author can give wrong ones. Nothing reaches outside the books.
fn annotations(op: &OpDef) -> ToolAnnotations {
    let (read_only, destructive, idempotent) = match op.effect {
        Effect::Read => (true, false, true),
        Effect::Write => (false, false, op.idempotent),
        Effect::Confirm => (false, true, op.idempotent),
        Effect::Upkeep => (false, false, true),
    };
    ToolAnnotations::new()
        .read_only(read_only)
        .destructive(destructive)
        .idempotent(idempotent)
        .open_world(false)
}

/// What a server offers: the list that clients are given, and the operation behind every name.
pub(super) struct Toolbox {
    ops: Vec<&'static OpDef>,
    list: Vec<Tool>,
    index: HashMap<String, &'static OpDef>,
}

impl Toolbox {
    /// The tools of these options, in the order of the registry.
    ///
    /// Refuses: a toolset that does not exist, with the list of those that do.
    pub(super) fn new(options: &Options) -> Result<Toolbox> {
        let all = || offered(options.domains);
        if let Some(wanted) = &options.tools {
            let mut known: Vec<&str> = all().map(toolset).collect();
            let mut seen = std::collections::HashSet::new();
            known.retain(|set| seen.insert(*set));
            if let Some(unknown) = wanted.iter().find(|w| !known.contains(&w.as_str())) {
                return Err(No::argument(
                    "tools",
                    format!(
                        "there is no toolset {}; there are {}",
                        quoted(unknown),
                        known.join(", ")
                    ),
                ));
            }
        }
        let chosen = all().filter(|op| {
            let wanted = options
                .tools
                .as_ref()
                .is_none_or(|sets| sets.iter().any(|set| set == toolset(op)));
            wanted && (!options.read_only || op.effect == Effect::Read)
        });
        let (mut ops, mut list, mut index) = (Vec::new(), Vec::new(), HashMap::new());
        for op in chosen {
            ops.push(op);
            list.push(tool(op, options.domains, options.underscore));
            index.insert(op.tool.to_owned(), op);
            index.insert(op.underscored(), op);
        }
        Ok(Toolbox { ops, list, index })
    }

    /// The operations behind the tools, in their order.
    pub(super) fn ops(&self) -> impl Iterator<Item = &'static OpDef> + '_ {
        self.ops.iter().copied()
    }

    /// Every tool, as it is listed.
    pub(super) fn list(&self) -> Vec<Tool> {
        self.list.clone()
    }

    /// The operation behind a name in either spelling.
    pub(super) fn find(&self, name: &str) -> Option<&'static OpDef> {
        self.index.get(name).copied()
    }
}

fn offered(domains: &'static [&'static Domain]) -> impl Iterator<Item = &'static OpDef> {
    operations(domains).filter(|op| op.is_tool())
}
