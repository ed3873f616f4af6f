//! Resources: operations whose results also have an address. Which do, and how the address names their arguments, stands in
//! the operations themselves.

use rmcp::model::{Resource, ResourceTemplate};
use serde_json::{Map, Value};

use super::hints::Names;
use crate::engine::{OpDef, input_schema};

/// What a result is, as a media type.
pub(super) const JSON: &str = "application/json";

/// An operation's address, taken apart.
struct Address {
    /// What stands before the query, a segment each; a name in braces stands for any.
    path: Vec<&'static str>,
    /// The arguments that may stand in the query.
    query: Vec<&'static str>,
}

impl Address {
    fn of(op: &OpDef) -> Option<Address> {
        op.resource.map(Address::parse)
    }

    fn parse(template: &'static str) -> Address {
        let (path, query) = template.split_once("{?").unwrap_or((template, ""));
        let query = query.trim_end_matches('}').split(',');
        Address {
            path: path.split('/').collect(),
            query: query.filter(|name| !name.is_empty()).collect(),
        }
    }

    fn has_holes(&self) -> bool {
        self.path.iter().any(|segment| hole(segment).is_some())
    }

    /// The arguments that a URI gives, if it is one of these addresses.
    fn arguments(&self, uri: &str) -> Option<Vec<(&'static str, String)>> {
        let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
        let mut arguments = Vec::new();
        let mut given = path.split('/');
        for segment in &self.path {
            let found = given.next()?;
            match hole(segment) {
                Some(name) if !found.is_empty() => arguments.push((name, plain(found)?)),
                None if found == *segment => {}
                _ => return None,
            }
        }
        if given.next().is_some() {
            return None;
        }
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=')?;
            let name = self.query.iter().find(|name| **name == key)?;
            if arguments.iter().any(|(known, _)| known == name) {
                return None;
            }
            arguments.push((name, plain(value)?));
        }
        Some(arguments)
    }
}

/// The name that stands in braces.
fn hole(segment: &'static str) -> Option<&'static str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// A part of a URI without its percent signs.
fn plain(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The resources that need no argument.
pub(super) fn list<'o>(ops: impl Iterator<Item = &'o OpDef>, names: Names) -> Vec<Resource> {
    let whole = |op: &OpDef| {
        let address = Address::of(op)?;
        let uri = (!address.has_holes()).then(|| address.path.join("/"))?;
        let (title, _) = op.description();
        Some(
            Resource::new(uri, names.of(op))
                .with_title(title)
                .with_mime_type(JSON),
        )
    };
    ops.filter_map(whole).collect()
}

/// The templates of those that take arguments.
pub(super) fn templates<'o>(
    ops: impl Iterator<Item = &'o OpDef>,
    names: Names,
) -> Vec<ResourceTemplate> {
    let template = |op: &OpDef| {
        let address = Address::of(op)?;
        let takes = address.has_holes() || !address.query.is_empty();
        let (title, description) = op.description();
        takes.then(|| {
            ResourceTemplate::new(op.resource.unwrap_or_default(), names.of(op))
                .with_title(title)
                .with_description(description)
                .with_mime_type(JSON)
        })
    };
    ops.filter_map(template).collect()
}

/// The operation behind a URI, with the arguments that it names.
pub(super) fn find(
    ops: impl Iterator<Item = &'static OpDef>,
    uri: &str,
) -> Option<(&'static OpDef, Map<String, Value>)> {
    for op in ops {
        if let Some(given) = Address::of(op).and_then(|address| address.arguments(uri)) {
            let schema = input_schema(op);
            let arguments = given
                .into_iter()
                .map(|(name, text)| (name.to_owned(), value(&schema, name, text)));
            return Some((op, arguments.collect()));
        }
    }
    None
}

/// A text of a URI as the argument's schema wants it; what does not fit stays a text, and is refused as such.
fn value(schema: &Map<String, Value>, name: &str, text: String) -> Value {
    let kind = schema
        .get("properties")
        .and_then(|all| all.get(name)?.get("type")?.as_str());
    let read = match kind {
        Some("integer") => text.parse::<i64>().ok().map(Value::from),
        Some("boolean") => text.parse::<bool>().ok().map(Value::from),
        _ => None,
    };
    read.unwrap_or(Value::String(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(template: &'static str, uri: &str) -> Option<Vec<(&'static str, String)>> {
        Address::parse(template).arguments(uri)
    }

    /// A URI fits its template alone, and gives the arguments that stand in it.
    #[test]
    fn addresses() {
        let none = || Some(Vec::new());
        assert_eq!(arguments("books://chart", "books://chart"), none());
        for other in [
            "books://char",
            "books://chart/",
            "books://chart?x=1",
            "Books://chart",
        ] {
            assert_eq!(arguments("books://chart", other), None, "{other}");
        }
        let receipt = "books://receipts/{attachment_id}";
        let five = Some(vec![("attachment_id", "5".to_owned())]);
        assert_eq!(arguments(receipt, "books://receipts/5"), five);
        assert_eq!(arguments(receipt, "books://receipts/%35"), five);
        for other in [
            "books://receipts/",
            "books://receipts",
            "books://receipts/5/6",
            "books://receipts/%3",
        ] {
            assert_eq!(arguments(receipt, other), None, "{other}");
        }
        let digest = "books://digest{?since,until}";
        let since = Some(vec![("since", "2026-11-01".to_owned())]);
        assert_eq!(arguments(digest, "books://digest"), none());
        assert_eq!(arguments(digest, "books://digest?since=2026-11-01"), since);
        for other in [
            "books://digest?since",
            "books://digest?other=1",
            "books://digest?since=1&since=2",
        ] {
            assert_eq!(arguments(digest, other), None, "{other}");
        }
    }
}
