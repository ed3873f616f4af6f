//! The receipt policy as `data/config.json` states it. What it means is the policy's page.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{
    engine::without_mark,
    model::{CODE_TAKES, Currency, Money, Refusal, code_ok, quoted},
};

/// The one section of the file.
const SECTION: &str = "receipt_policy";
const ABOVE: &str = "require_receipts_above";
/// The list of accounts on which any debit needs a receipt.
pub const REQUIRED: &str = "receipt_required_accounts";
/// The list of accounts whose debits do not count.
pub const EXEMPT: &str = "receipt_exempt_accounts";

/// The most codes of a list.
const CODES_MAX: usize = 1_000;
/// The most decimals of an amount: what the currency with the smallest minor unit has.
const DECIMALS_MAX: u32 = 3;

/// What the file states.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Stated {
    /// The amount above which a receipt is needed; none for the default.
    pub above: Option<Money>,
    /// Codes of accounts on which any debit needs a receipt.
    pub required: Vec<String>,
    /// Codes of accounts whose debits do not count.
    pub exempt: Vec<String>,
}

/// Says what is wrong with the policy file's text, if anything, in books of this currency.
pub fn check(text: &str, currency: Currency) -> Result<(), Vec<Refusal>> {
    let above = read(text)?.and_then(|stated| stated.above);
    let finer = |above: &Money| above.decimal().normalize().scale() > currency.exponent();
    match above.filter(finer) {
        None => Ok(()),
        Some(above) => {
            let (code, decimals) = (currency.code(), currency.exponent());
            let path = format!("{SECTION}.{ABOVE}");
            Err(vec![bad(
                &path,
                &format!("is \"{above}\"; {code} has {decimals} decimals"),
            )])
        }
    }
}

/// What the policy file's text states; none where it has no policy.
///
/// Refuses, all faults together: what is no JSON object, a key that there is not or that stands twice, an amount that is no plain
/// decimal of zero or more, and codes that no account can have.
pub fn read(text: &str) -> Result<Option<Stated>, Vec<Refusal>> {
    let Pairs(sections) =
        serde_json::from_str(without_mark(text)).map_err(|e| vec![broken("the file", &e)])?;
    let mut faults = Vec::new();
    let mut stated = None;
    for (key, value) in sections {
        if key != SECTION {
            faults.push(unknown("", &key, &[SECTION]));
        } else if stated.is_some() {
            faults.push(bad(SECTION, "stands twice"));
        } else {
            stated = Some(section(value, &mut faults));
        }
    }
    if faults.is_empty() {
        Ok(stated)
    } else {
        Err(faults)
    }
}

fn section(value: &RawValue, faults: &mut Vec<Refusal>) -> Stated {
    let mut stated = Stated::default();
    let Pairs(pairs) = match serde_json::from_str(value.get()) {
        Ok(pairs) => pairs,
        Err(e) => {
            faults.push(broken(SECTION, &e));
            return stated;
        }
    };
    let mut seen: Vec<&str> = Vec::new();
    for (key, value) in &pairs {
        let path = format!("{SECTION}.{key}");
        if seen.contains(&key.as_str()) {
            faults.push(bad(&path, "stands twice"));
            continue;
        }
        seen.push(key);
        match key.as_str() {
            ABOVE => stated.above = amount(&path, value, faults),
            REQUIRED => stated.required = codes(&path, value, faults),
            EXEMPT => stated.exempt = codes(&path, value, faults),
            _ => faults.push(unknown(SECTION, key, &[ABOVE, REQUIRED, EXEMPT])),
        }
    }
    stated
}

fn amount(path: &str, value: &RawValue, faults: &mut Vec<Refusal>) -> Option<Money> {
    let plain = |text: &String| {
        let money: Money = text.parse().ok()?;
        let plain = !text.starts_with('-') && money.decimal().scale() <= DECIMALS_MAX;
        plain.then_some(money)
    };
    let money = serde_json::from_str::<String>(value.get())
        .ok()
        .as_ref()
        .and_then(plain);
    if money.is_none() {
        let takes = "a plain decimal of zero or more in quotation marks, such as \"25.00\"";
        faults.push(bad(path, &format!("is {}; it takes {takes}", shown(value))));
    }
    money
}

fn codes(path: &str, value: &RawValue, faults: &mut Vec<Refusal>) -> Vec<String> {
    let Ok(list) = serde_json::from_str::<Vec<String>>(value.get()) else {
        let takes = "a list of account codes in quotation marks, such as [\"6310\"]";
        faults.push(bad(path, &format!("is {}; it takes {takes}", shown(value))));
        return Vec::new();
    };
    if list.len() > CODES_MAX {
        faults.push(bad(
            path,
            &format!("has {} codes; at most {CODES_MAX}", list.len()),
        ));
    }
    let mut codes: Vec<String> = Vec::new();
    for code in list.iter().map(|code| code.trim()) {
        if code_ok(code).is_err() {
            faults.push(bad(path, &format!("names {}; {CODE_TAKES}", quoted(code))));
        } else if codes.iter().any(|known| known == code) {
            faults.push(bad(path, &format!("names {} twice", quoted(code))));
        } else {
            codes.push(code.to_owned());
        }
    }
    codes
}

/// A value as it stands in the file: a text in its quotation marks, a number without.
fn shown(value: &RawValue) -> String {
    const CHARS_MAX: usize = 40;
    let raw = value.get();
    match raw.as_bytes().first() {
        Some(b'"') => quoted(&serde_json::from_str::<String>(raw).unwrap_or_default()),
        Some(b'[') => "a list".to_owned(),
        Some(b'{') => "an object".to_owned(),
        Some(b'-' | b'0'..=b'9') if raw.len() <= CHARS_MAX => {
            format!("{raw} without quotation marks")
        }
        Some(b'-' | b'0'..=b'9') => "a long number without quotation marks".to_owned(),
        _ => raw.to_owned(),
    }
}

fn bad(path: &str, what: &str) -> Refusal {
    Refusal::new("bad_setting", format!("{path} {what}")).with("key", path)
}

fn unknown(section: &str, key: &str, takes: &[&str]) -> Refusal {
    let place = if section.is_empty() {
        String::new()
    } else {
        format!("{section}: ")
    };
    let message = format!(
        "{place}there is no setting {}; it takes {}",
        quoted(key),
        takes.join(", ")
    );
    Refusal::new("unknown_setting", message).with("key", key)
}

fn broken(what: &str, error: &serde_json::Error) -> Refusal {
    let message = format!("{what} is no JSON object that can be read: {error}");
    Refusal::new("bad_settings", message)
}

/// An object's members as they stand, so that a key that stands twice is seen.
struct Pairs<'t>(Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Pairs<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        d.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file states an amount and two lists, each of which may be left out; an empty object states no policy.
    #[test]
    fn stated() {
        assert_eq!(read("{}"), Ok(None));
        assert_eq!(
            read(r#"{"receipt_policy": {}}"#),
            Ok(Some(Stated::default()))
        );
        let text = r#"{"receipt_policy": {"require_receipts_above": "75.00",
            "receipt_required_accounts": [" 6310 ", "6320"], "receipt_exempt_accounts": ["6840"]}}"#;
        let want = Stated {
            above: "75.00".parse().ok(),
            required: vec!["6310".to_owned(), "6320".to_owned()],
            exempt: vec!["6840".to_owned()],
        };
        assert_eq!(read(text), Ok(Some(want)));
    }

    /// A value is shown as it stands in the file: a text in one pair of quotation marks, a number without.
    #[test]
    fn values_are_shown() {
        let said = |amount: &str| {
            let text = format!("{{\"receipt_policy\": {{\"require_receipts_above\": {amount}}}}}");
            let refusals = read(&text).expect_err("a fault");
            let (said, _) = refusals[0].message.split_once(';').expect("two halves");
            said.replace("receipt_policy.require_receipts_above is ", "")
        };
        for (amount, want) in [
            ("25", "25 without quotation marks"),
            ("\"abc\"", "\"abc\""),
            ("\"-25\"", "\"-25\""),
            ("[25]", "a list"),
            ("null", "null"),
        ] {
            assert_eq!(said(amount), want);
        }
    }

    /// Whatever makes no sense is refused by name, all of it together.
    #[test]
    fn refused() {
        let faults = |text: &str| -> Vec<(&'static str, String)> {
            let refusals = read(text).expect_err("a fault");
            refusals.into_iter().map(|r| (r.code, r.message)).collect()
        };
        let policy = |inner: &str| faults(&format!("{{\"receipt_policy\": {{{inner}}}}}"));
        for broken in ["", "[]", "null", "\"x\"", "{", "{} {}"] {
            assert_eq!(faults(broken)[0].0, "bad_settings", "{broken}");
        }
        assert_eq!(faults(r#"{"receipt_policy": []}"#)[0].0, "bad_settings");
        assert_eq!(faults(r#"{"receipts": {}}"#)[0].0, "unknown_setting");
        assert_eq!(
            policy(r#""receipts_above": "25.00""#),
            [(
                "unknown_setting",
                "receipt_policy: there is no setting \"receipts_above\"; it takes require_receipts_above, \
                 receipt_required_accounts, receipt_exempt_accounts"
                    .to_owned()
            )]
        );
        for amount in [
            "25",
            "-25.00",
            "\"-25.00\"",
            "\"-0\"",
            "\"25,00\"",
            "\"$25\"",
            "\"1e2\"",
            "null",
            "\"0.0001\"",
        ] {
            let found = policy(&format!("\"require_receipts_above\": {amount}"));
            assert_eq!(found[0].0, "bad_setting", "{amount}");
            assert!(
                found[0]
                    .1
                    .starts_with("receipt_policy.require_receipts_above is "),
                "{found:?}"
            );
        }
        for list in [
            "\"6310\"",
            "[6310]",
            "[\"\"]",
            "[\"a b\"]",
            "[\"6310\", \"6310\"]",
            "null",
        ] {
            let found = policy(&format!("\"receipt_required_accounts\": {list}"));
            assert_eq!(found[0].0, "bad_setting", "{list}");
            assert!(
                found[0]
                    .1
                    .starts_with("receipt_policy.receipt_required_accounts "),
                "{found:?}"
            );
        }
        let twice = r#""require_receipts_above": "25.00", "require_receipts_above": "99.00""#;
        let want = "receipt_policy.require_receipts_above stands twice".to_owned();
        assert_eq!(policy(twice), [("bad_setting", want)]);
        let both = r#""require_receipts_above": 1, "receipt_exempt_accounts": 1"#;
        assert_eq!(policy(both).len(), 2);
    }
}
