//! JSON Schemas of arguments and results, from the one definition: inlined, closed, without titles and `null`, with the
//! keys that the engine owns.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::{Domain, Effect, OpDef, domain::facts_of};

/// The schema of a tool's arguments, the engine's own included.
pub fn input_schema(op: &OpDef) -> Map<String, Value> {
    let mut schema = (op.arguments)();
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for (name, property) in controls(op.effect) {
            properties.insert(name.to_owned(), property);
        }
    }
    schema
}

fn controls(effect: Effect) -> Vec<(&'static str, Value)> {
    let mut controls = Vec::new();
    if effect == Effect::Confirm {
        let confirmed = "Do it; only after the human agreed";
        controls.push((
            "confirmed",
            json!({"type": "boolean", "description": confirmed}),
        ));
        let if_preview = "The preview agreed to";
        controls.push((
            "if_preview",
            json!({"type": "string", "description": if_preview}),
        ));
    }
    if matches!(effect, Effect::Write | Effect::Confirm) {
        controls.push((
            "preview",
            json!({"type": "boolean", "description": "Run and undo"}),
        ));
        let key = "Same key, done once";
        controls.push(("request_key", json!({"type": "string", "description": key})));
    }
    controls
}

/// The schema of a tool's result as the tool tells it: which keys there are and what they hold, in few bytes. Names say
/// what values are, so of the descriptions only notes about signs and units stay; what a list without `items` holds is text.
pub fn output_schema(op: &OpDef, domains: &[&Domain]) -> Map<String, Value> {
    let mut schema = Value::Object(full_output_schema(op, domains));
    lighten(&mut schema);
    let mut schema = object(schema);
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        tell_once(properties);
    }
    close(&mut schema);
    schema
}

/// Lists of the same objects are told once: the others say which list they are like.
fn tell_once(properties: &mut Map<String, Value>) {
    let mut told: Vec<(String, Value)> = Vec::new();
    for (name, property) in properties.iter_mut() {
        let Some(items) = property
            .get("items")
            .filter(|i| i.get("properties").is_some())
        else {
            continue;
        };
        match told.iter().find(|(_, known)| known == items) {
            Some((like, _)) => {
                *property = json!({"type": "array", "description": format!("Like {like}")})
            }
            None => told.push((name.clone(), items.clone())),
        }
    }
}

/// The whole schema of a result, the engine's own keys included: every meaning, pattern and key that is always there, and
/// each object closed.
pub fn full_output_schema(op: &OpDef, domains: &[&Domain]) -> Map<String, Value> {
    let mut schema = (op.result)();
    let writes = op.writes();
    if writes && let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|key| !op.allotted.iter().any(|allotted| key == allotted));
    }
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return schema;
    };
    if writes {
        let status = properties
            .entry("status")
            .or_insert_with(|| json!({"type": "string", "enum": [], "description": "`preview` where nothing was changed"}));
        if let Some(Value::Array(words)) = status.get_mut("enum")
            && !words.iter().any(|w| w == "preview")
        {
            words.push("preview".into());
        }
    }
    let always = op.effect != Effect::Upkeep;
    for kind in op.shows {
        properties.extend(facts_of(kind, domains));
    }
    for (name, of, property) in engine_keys() {
        let has = match of {
            Of::Change => writes,
            Of::Moment => always,
        };
        if has {
            properties.insert(name.to_owned(), property);
        }
    }
    schema
}

/// Which results the engine adds a key to.
#[derive(Clone, Copy)]
enum Of {
    /// Those of a change.
    Change,
    /// All that are of one moment of the books.
    Moment,
}

/// What the engine adds to results.
fn engine_keys() -> [(&'static str, Of, Value); 5] {
    let text = |about: &str| json!({"type": "string", "description": about});
    let seq = json!({"type": "integer", "description": "The last event of the journal"});
    let replayed = "The call was made before under its key; this is what it gave";
    let warnings = "What a person should look at";
    [
        (
            "preview",
            Of::Change,
            text("Digest of what was previewed, for `if_preview`"),
        ),
        (
            "replayed",
            Of::Change,
            json!({"type": "boolean", "description": replayed}),
        ),
        (
            "warnings",
            Of::Change,
            json!({"type": "array", "items": {"type": "string"}, "description": warnings}),
        ),
        ("seq", Of::Moment, seq),
        ("head", Of::Moment, text("Its hash, shortened")),
    ]
}

pub(super) fn of_arguments<T: JsonSchema>() -> Map<String, Value> {
    let mut schema = object(full_schema::<T>(false));
    // The tool's description is the same text.
    schema.remove("description");
    close(&mut schema);
    schema
}

/// The whole schema of a value, for the facts that a domain adds to others' results.
pub fn value_schema<T: JsonSchema>() -> Value {
    let mut schema = full_schema::<T>(true);
    close_all(&mut schema);
    schema
}

pub(super) fn of_result<T: JsonSchema>() -> Map<String, Value> {
    let mut schema = full_schema::<T>(true);
    close_all(&mut schema);
    let mut schema = object(schema);
    schema.remove("description");
    close(&mut schema);
    schema
}

fn full_schema<T: JsonSchema>(result: bool) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    if result {
        settings = settings.for_serialize();
    }
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    slim(&mut schema);
    schema
}

fn object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

/// Makes a schema that of an object with the keys it names and no other.
fn close(schema: &mut Map<String, Value>) {
    schema.entry("type").or_insert_with(|| "object".into());
    schema
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    schema.insert("additionalProperties".to_owned(), false.into());
}

fn close_all(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(close_all),
        Value::Object(map) => {
            if map.get("properties").is_some_and(Value::is_object) {
                map.insert("additionalProperties".to_owned(), false.into());
            }
            map.values_mut().for_each(close_all);
        }
        _ => {}
    }
}

/// Takes from a result's schema what a reader of results does not need.
fn lighten(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(lighten),
        Value::Object(map) => {
            map.retain(|key, value| match key.as_str() {
                "description" if value.is_string() => value.as_str().is_some_and(tells_more),
                "pattern" | "minimum" | "format" => !(value.is_string() || value.is_number()),
                "additionalProperties" => !value.is_boolean(),
                "required" => !value.is_array(),
                _ => true,
            });
            if map.get("enum").is_some_and(Value::is_array) {
                // The words say that they are text.
                map.remove("type");
            }
            map.values_mut().for_each(lighten);
            if map.get("items") == Some(&json!({"type": "string"})) {
                // A list of plain text.
                map.remove("items");
            }
        }
        _ => {}
    }
}

/// Whether a description tells what no name does: which sign an amount has, or its unit.
fn tells_more(description: &str) -> bool {
    let description = description.to_lowercase();
    let words = ["positive", "negative", "percent", "minor units"];
    words.iter().any(|word| description.contains(word))
}

/// Takes away what says nothing: titles, `null` beside an optional value, number formats, empty defaults.
fn slim(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(slim),
        Value::Object(map) => slim_object(map),
        _ => {}
    }
}

fn slim_object(map: &mut Map<String, Value>) {
    map.remove("title");
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|t| t != "null");
        if types.len() == 1 {
            let only = types.remove(0);
            map.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(words)) = map.get_mut("enum") {
        words.retain(|w| !w.is_null());
    }
    if let Some(Value::Array(any)) = map.get_mut("anyOf") {
        any.retain(|a| a.get("type").and_then(Value::as_str) != Some("null"));
        if any.len() == 1 {
            let only = any.remove(0);
            map.remove("anyOf");
            if let Value::Object(only) = only {
                for (key, value) in only {
                    map.entry(key).or_insert(value);
                }
            }
        }
    }
    map.retain(|key, value| {
        let number_format = key == "format"
            && value
                .as_str()
                .is_some_and(|f| f.starts_with("int") || f.starts_with("uint"));
        !(number_format || key == "default" && value.is_null())
    });
    map.values_mut().for_each(slim);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a result's schema tells in few bytes keeps notes about signs and units, however they begin, and no other; a list of
    /// plain text is a list.
    #[test]
    fn light_schemas() {
        let noted = |about: &str| json!({"type": "string", "description": about});
        let mut schema = json!({"properties": {
            "net": noted("Positive on the normal side"), "raw": noted("debits positive"),
            "result": noted("Revenue less expenses; NEGATIVE is a loss"), "share": noted("Percent of the profit"),
            "name": noted("Its name"),
            "codes": {"type": "array", "items": noted("A code")},
            "dates": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        }});
        lighten(&mut schema);
        let want = json!({"properties": {
            "net": noted("Positive on the normal side"), "raw": noted("debits positive"),
            "result": noted("Revenue less expenses; NEGATIVE is a loss"), "share": noted("Percent of the profit"),
            "name": {"type": "string"},
            "codes": {"type": "array"},
            "dates": {"type": "array", "items": {"type": "integer"}},
        }});
        assert_eq!(schema, want);
    }
}
