//! JSON Schemas of arguments and results, from the one definition: inlined, closed, without titles and `null`, with the
//! keys that the engine owns.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::{Effect, OpDef};

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
        controls.push((
            "request_key",
            json!({"type": "string", "maxLength": 64, "description": key}),
        ));
    }
    controls
}

/// The schema of a tool's result, the engine's own keys included.
pub fn output_schema(op: &OpDef) -> Map<String, Value> {
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
            .or_insert_with(|| json!({"type": "string", "enum": []}));
        if let Some(Value::Array(words)) = status.get_mut("enum")
            && !words.iter().any(|w| w == "preview")
        {
            words.push("preview".into());
        }
        properties.insert("preview".to_owned(), json!({"type": "string"}));
        properties.insert("replayed".to_owned(), json!({"type": "boolean"}));
        properties.insert(
            "warnings".to_owned(),
            json!({"type": "array", "items": {"type": "string"}}),
        );
    }
    if op.effect != Effect::Upkeep {
        properties.insert("seq".to_owned(), json!({"type": "integer"}));
        properties.insert("head".to_owned(), json!({"type": "string"}));
    }
    schema
}

pub(super) fn of_arguments<T: JsonSchema>() -> Map<String, Value> {
    let mut schema = object_schema::<T>(false);
    // The tool's description is the same text.
    schema.remove("description");
    schema
}

pub(super) fn of_result<T: JsonSchema>() -> Map<String, Value> {
    let mut schema = object_schema::<T>(true);
    schema.remove("description");
    schema
}

/// A result's schema with every field's meaning, which the tool's own leaves out for weight.
pub(super) fn of_described_result<T: JsonSchema>() -> Map<String, Value> {
    match full_schema::<T>(true) {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

/// The schema of a result with the meaning of its fields, for people; the engine's own keys are not in it.
pub fn described_result(op: &OpDef) -> Map<String, Value> {
    (op.described)()
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

fn object_schema<T: JsonSchema>(result: bool) -> Map<String, Value> {
    let mut schema = full_schema::<T>(result);
    if result {
        // What the result itself always has is said; of the objects in it, only which keys they may have.
        let required = schema.get("required").cloned();
        lighten(&mut schema);
        if let (Some(map), Some(required)) = (schema.as_object_mut(), required) {
            map.insert("required".to_owned(), required);
        }
    }
    let mut schema = match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    };
    schema.entry("type").or_insert_with(|| "object".into());
    schema
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

/// Takes from a result's schema what a reader of results does not need, and closes its objects: names say what values are,
/// so of the descriptions only notes about signs stay, and amounts and counts need no pattern to be read.
fn lighten(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(lighten),
        Value::Object(map) => {
            let says_sign = |d: &Value| d.as_str().is_some_and(|d| d.contains("positive"));
            map.retain(|key, value| match key.as_str() {
                "description" if value.is_string() => says_sign(value),
                "pattern" | "minimum" | "format" => !(value.is_string() || value.is_number()),
                _ => true,
            });
            if map.get("properties").is_some_and(Value::is_object) {
                map.remove("required");
                map.insert("additionalProperties".to_owned(), false.into());
            }
            map.values_mut().for_each(lighten);
        }
        _ => {}
    }
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
