//! Arguments that came as JSON: unknown keys refused, the engine's own taken out, clap's groups and conflicts applied.

use serde_json::{Map, Value};

use super::{Call, Effect, No, OpDef, Result, schema::input_schema, words::plain_words};
use crate::model::{quoted, visible};

/// The arguments that belong to the engine, whatever the operation.
pub const CONTROLS: &[&str] = &["confirmed", "if_preview", "preview", "request_key"];

const REQUEST_KEY_CHARS_MAX: usize = 64;
const MESSAGE_CHARS_MAX: usize = 400;

/// What a call asks of the road.
#[derive(Clone, Default, Debug)]
pub struct Control {
    /// Whether a `confirm` operation is to be done.
    pub confirmed: bool,
    /// The preview that was agreed to.
    pub if_preview: Option<String>,
    /// Whether to run and undo.
    pub preview: bool,
    /// The caller's key for this call.
    pub request_key: Option<String>,
}

impl Control {
    /// Refuses a request key that no journal line should hold.
    pub fn check(&self) -> Result<()> {
        let Some(key) = &self.request_key else {
            return Ok(());
        };
        let good = !key.is_empty()
            && key.len() <= REQUEST_KEY_CHARS_MAX
            && key.bytes().all(|b| b.is_ascii_graphic());
        if good {
            return Ok(());
        }
        Err(No::argument(
            "request_key",
            format!(
                "request_key {} is not 1 to {REQUEST_KEY_CHARS_MAX} printable ASCII characters",
                quoted(key)
            ),
        ))
    }
}

/// Reads a tool's arguments. `null` is an argument left out.
pub fn from_json(op: &OpDef, args: Map<String, Value>) -> Result<(Call, Control)> {
    let mut args = args;
    args.retain(|_, value| !value.is_null());
    let schema = input_schema(op);
    let known: Vec<&str> = match schema.get("properties") {
        Some(Value::Object(properties)) => properties.keys().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    if let Some(unknown) = args.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(No::argument(
            unknown,
            format!(
                "{} takes no argument {}; it takes {}",
                op.tool,
                quoted(unknown),
                list(&known)
            ),
        ));
    }
    let control = take_control(op, &mut args)?;
    check_groups(op, &args)?;
    for (name, value) in &args {
        if let Some(told) = schema.get("properties").and_then(|all| all.get(name)) {
            no_list_for_object(name, told, value)?;
        }
    }
    let call = (op.json)(Value::Object(args.clone())).map_err(|e| unreadable(op, &args, &e))?;
    Ok((call, control))
}

/// Refuses a list where an object is told: read in the order of its fields, it would mean whatever that order is.
fn no_list_for_object(name: &str, told: &Value, value: &Value) -> Result<()> {
    let Value::Array(items) = value else {
        return Ok(());
    };
    match told.get("items") {
        Some(item) => items
            .iter()
            .try_for_each(|value| no_list_for_object(name, item, value)),
        None if told.get("properties").is_some() => Err(No::argument(
            name,
            format!("{name}: a list stands where an object must be"),
        )),
        None => Ok(()),
    }
}

fn list(names: &[&str]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

/// Which argument serde stumbled over: the one whose absence makes the error change, else the one it names.
fn unreadable(op: &OpDef, args: &Map<String, Value>, error: &serde_json::Error) -> No {
    let message = error.to_string();
    let named = args.keys().find(|key| {
        let mut without = args.clone();
        without.remove(key.as_str());
        (op.json)(Value::Object(without))
            .err()
            .map(|e| e.to_string())
            .as_ref()
            != Some(&message)
    });
    let inside = named.and_then(|named| place(op, args, named, &message));
    let missing = message
        .strip_prefix("missing field `")
        .and_then(|rest| rest.split('`').next())
        .filter(|_| inside.is_none());
    let field = missing
        .map(str::to_owned)
        .or_else(|| named.cloned())
        .unwrap_or_default();
    let prefix = match inside {
        Some(place) => format!("{place}: "),
        None if field.is_empty() || missing.is_some() => String::new(),
        None => format!("{field}: "),
    };
    // serde repeats the value that it could not read; a message holds the beginning of it.
    let message = plain_words(&message, &input_schema(op), &field);
    let message: String = visible(&message).chars().take(MESSAGE_CHARS_MAX).collect();
    No::argument(&field, format!("{prefix}{message}"))
}

/// Where in a list serde stumbled: `lines[0].amount` rather than `lines`. None where it stumbled over something else.
fn place(op: &OpDef, args: &Map<String, Value>, name: &str, message: &str) -> Option<String> {
    let Some(Value::Array(items)) = args.get(name) else {
        return None;
    };
    let stumbles = |items: Vec<Value>| {
        let mut changed = args.clone();
        changed.insert(name.to_owned(), Value::Array(items));
        let error = (op.json)(Value::Object(changed)).err();
        error.is_some_and(|e| e.to_string() == message)
    };
    if stumbles(Vec::new()) {
        return None;
    }
    let mut found = items.iter().enumerate();
    let (at, item) = found.find(|(_, item)| stumbles(vec![(*item).clone()]))?;
    let place = format!("{name}[{at}]");
    // What is missing or unknown is named by the message itself.
    let told = message.starts_with("missing field") || message.starts_with("unknown field");
    let Value::Object(members) = item else {
        return Some(place);
    };
    let member = members.keys().filter(|_| !told).find(|key| {
        let mut without = members.clone();
        without.shift_remove(key.as_str());
        !stumbles(vec![Value::Object(without)])
    });
    Some(member.map_or(place.clone(), |member| format!("{place}.{member}")))
}

fn take_control(op: &OpDef, args: &mut Map<String, Value>) -> Result<Control> {
    let confirm = op.effect == Effect::Confirm;
    let mut truth = |name: &str| match args.shift_remove(name) {
        None => Ok(false),
        Some(Value::Bool(b)) => Ok(b),
        Some(_) => Err(No::argument(name, format!("{name} is true or false"))),
    };
    let (confirmed, preview) = if op.writes() {
        (
            if confirm { truth("confirmed")? } else { false },
            truth("preview")?,
        )
    } else {
        (false, false)
    };
    let mut text = |name: &str| match args.shift_remove(name) {
        None => Ok(None),
        Some(Value::String(s)) => Ok(Some(s)),
        Some(_) => Err(No::argument(name, format!("{name} is text"))),
    };
    let (mut if_preview, mut request_key) = (None, None);
    if op.writes() {
        request_key = text("request_key")?;
    }
    if confirm {
        if_preview = text("if_preview")?;
    }
    let control = Control {
        confirmed,
        if_preview,
        preview,
        request_key,
    };
    control.check()?;
    Ok(control)
}

/// The one-of groups and conflicts that clap holds words to hold JSON too.
fn check_groups(op: &OpDef, args: &Map<String, Value>) -> Result<()> {
    let command = (op.augment)(clap::Command::new(op.verb));
    for group in command.get_groups() {
        let mut group = group.clone();
        let (required, multiple) = (group.is_required_set(), group.is_multiple());
        let members: Vec<&str> = group.get_args().map(clap::Id::as_str).collect();
        let given = members.iter().filter(|m| args.contains_key(**m)).count();
        let first = members.first().copied().unwrap_or_default();
        if required && given == 0 {
            return Err(No::argument(
                first,
                format!("give one of {}", members.join(", ")),
            ));
        }
        if !multiple && given > 1 {
            return Err(No::argument(
                first,
                format!("give only one of {}", members.join(", ")),
            ));
        }
    }
    for arg in command
        .get_arguments()
        .filter(|a| args.contains_key(a.get_id().as_str()))
    {
        for other in command.get_arg_conflicts_with(arg) {
            if args.contains_key(other.get_id().as_str()) {
                let (a, b) = (arg.get_id().as_str(), other.get_id().as_str());
                return Err(No::argument(a, format!("{a} cannot be given with {b}")));
            }
        }
    }
    Ok(())
}
