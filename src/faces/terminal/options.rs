//! Arguments named as a person types them: what a refusal calls `date_order`, because that is its name over MCP, is told as
//! `--date-order`. The refusal itself stays as it is.

use clap::Command;

use crate::engine::OpDef;

/// The engine's arguments whose names can be no words of a sentence.
const ENGINE: &[(&str, &str)] = &[
    ("request_key", "--request-key"),
    ("if_preview", "--if-preview"),
];

/// After these words a refusal lists names of arguments.
const LISTS: &[&str] = &["give at least one of ", "give one of ", "give only one of "];

/// A sentence with the names of the operation's arguments as they are typed.
///
/// A name is changed where it can be nothing else: with a line below in it, between backticks, in a list of arguments.
pub fn typed(text: &str, op: Option<&OpDef>) -> String {
    let names = names(op);
    let listed = LISTS
        .iter()
        .filter_map(|start| text.find(start).map(|at| at + start.len()))
        .min()
        .unwrap_or(text.len());
    let mut said = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while !rest.is_empty() {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
        if len == 0 {
            let mut letters = rest.chars();
            said.extend(letters.next());
            rest = letters.as_str();
            continue;
        }
        let (word, after) = rest.split_at(len);
        let at = text.len() - rest.len();
        let quoted = said.ends_with('`') && after.starts_with('`');
        // Behind a quotation mark or a dash stands what someone typed.
        let free = !said.ends_with(['"', '-', '.']);
        let certain = quoted || word.contains('_') || at >= listed;
        let option = names.iter().find(|(name, _)| name == word);
        match option.filter(|_| certain && free) {
            Some((_, option)) => said.push_str(option),
            None => said.push_str(word),
        }
        rest = after;
    }
    said
}

/// The arguments by their names over MCP, and how each is typed.
fn names(op: Option<&OpDef>) -> Vec<(String, String)> {
    let command = op.map(|op| (op.augment)(Command::new(op.verb)));
    let own = command.iter().flat_map(Command::get_arguments).map(|arg| {
        let value = arg.get_value_names().and_then(|names| names.first());
        let typed = match (arg.get_long(), value) {
            (Some(long), _) => format!("--{long}"),
            (None, Some(value)) => value.to_string(),
            (None, None) => arg.get_id().as_str().to_uppercase(),
        };
        (arg.get_id().as_str().to_owned(), typed)
    });
    let engine = ENGINE
        .iter()
        .map(|(name, typed)| ((*name).to_owned(), (*typed).to_owned()));
    own.chain(engine).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::by_tool, registry::DOMAINS};

    /// Names of arguments become options where they can be nothing else; words of a sentence and what was typed stay.
    #[test]
    fn names_become_options() {
        let cases = [
            (
                "books.update_account",
                "give at least one of name, parent, placeholder, archived",
                "give at least one of --name, --parent, --placeholder, --archived",
            ),
            (
                "books.import_bank_csv",
                "say date_order; `again` brings such rows back",
                "say --date-order; `--again` brings such rows back",
            ),
            (
                "books.import_bank_csv",
                "the rules say again what \"date_order\" is",
                "the rules say again what \"date_order\" is",
            ),
            (
                "books.post_entry",
                "repeat the call with the same request_key",
                "repeat the call with the same --request-key",
            ),
        ];
        for (tool, text, said) in cases {
            assert_eq!(typed(text, by_tool(DOMAINS, tool)), said);
        }
    }
}
