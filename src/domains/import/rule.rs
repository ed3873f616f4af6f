//! A rule as an argument: `TEXT=ACCOUNT[:CLASS]` on the terminal, one member of an object over MCP. What it matches is in `rules.rs`.

use std::{borrow::Cow, collections::HashSet, fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};

use crate::{
    domains::{chart::AccountRef, class::ClassRef},
    model::quoted,
};

/// Books rows whose description holds a text to an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The part of a description.
    pub text: String,
    /// The account.
    pub account: AccountRef,
    /// The class of that line.
    pub class: Option<ClassRef>,
}

const FORM: &str = "write TEXT=ACCOUNT[:CLASS], like 'BLUE DOOR=6310' or 'BLUE DOOR=6310:Rondo'";
/// What stands before an account's id.
const ID: &str = "id:";

impl FromStr for Rule {
    type Err = String;
    fn from_str(s: &str) -> Result<Rule, String> {
        let (text, account) = s.rsplit_once('=').ok_or(FORM)?;
        // `id:10` is an account too.
        let by_id = account.trim_start().starts_with(ID);
        let mut parts = account.splitn(if by_id { 3 } else { 2 }, ':');
        let mut named = parts.next().unwrap_or_default().to_owned();
        if by_id {
            named = format!("{named}:{}", parts.next().unwrap_or_default());
        }
        Ok(Rule {
            text: text.trim().to_owned(),
            account: named.parse()?,
            class: parts.next().map(str::parse).transpose()?,
        })
    }
}

/// What stands behind a rule's text in JSON.
#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "a rule's value is an account, or {\"account\": …, \"class\": …} and no other member"
)]
enum Target {
    Account(AccountRef),
    Members(Members),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    account: AccountRef,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class: Option<ClassRef>,
}

impl Target {
    /// What a rule stands as in JSON: an account, unless there is more to say.
    fn of(rule: &Rule) -> Target {
        let account = rule.account.clone();
        match rule.class.clone() {
            None => Target::Account(account),
            class => Target::Members(Members { account, class }),
        }
    }
}

/// The schema of rules: an object; reading refuses a value that is no account.
pub struct RuleMap;

impl JsonSchema for RuleMap {
    fn schema_name() -> Cow<'static, str> {
        "RuleMap".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

/// Writes rules as one object.
pub fn serialize<S: Serializer>(rules: &[Rule], s: S) -> Result<S::Ok, S::Error> {
    s.collect_map(rules.iter().map(|rule| (&rule.text, Target::of(rule))))
}

/// Reads rules from one object. A text that stands twice is refused: a parser that kept the last would hide the other.
pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<Rule>, D::Error> {
    struct Rules;
    impl<'de> Visitor<'de> for Rules {
        type Value = Vec<Rule>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object from parts of descriptions to accounts")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<Rule>, A::Error> {
            let (mut rules, mut seen) = (Vec::new(), HashSet::new());
            while let Some((text, target)) = map.next_entry::<String, Target>()? {
                let text = text.trim().to_owned();
                if !seen.insert(text.clone()) {
                    let why = format!("the rule {} is given twice", quoted(&text));
                    return Err(serde::de::Error::custom(why));
                }
                let (account, class) = match target {
                    Target::Account(account) => (account, None),
                    Target::Members(members) => (members.account, members.class),
                };
                rules.push(Rule {
                    text,
                    account,
                    class,
                });
            }
            Ok(rules)
        }
    }
    d.deserialize_map(Rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Rules(#[serde(with = "super")] Vec<Rule>);

    fn json(text: &str) -> Result<Rules, String> {
        serde_json::from_str(text).map_err(|e| e.to_string())
    }

    /// Words and JSON give the same rules; the account stands behind the last equals sign, so a text may hold one.
    #[test]
    fn spellings() {
        let words = ["a=b=6310", " Blue Door =1000"].map(|w| w.parse::<Rule>().expect("a rule"));
        let rules = json(r#"{"a=b":"6310","Blue Door":{"account":"1000"}}"#).expect("rules");
        assert_eq!(rules, Rules(words.to_vec()));
        let text = serde_json::to_string(&rules).expect("JSON");
        assert_eq!(text, r#"{"a=b":"6310","Blue Door":"1000"}"#);
        for bad in ["", "6310", "text="] {
            assert!(bad.parse::<Rule>().is_err(), "{bad}");
        }
    }

    /// A class stands behind the account, and in JSON beside it; an account without one stands alone.
    #[test]
    fn classes() {
        let words = ["a=6310:Rondo", "b=id:10:id:3", "c=id:10", "d=6310:A:b"];
        let words = words.map(|w| w.parse::<Rule>().expect("a rule"));
        let text = r#"{"a":{"account":"6310","class":"Rondo"},"b":{"account":10,"class":"id:3"},"c":10,"d":{"account":"6310","class":"A:b"}}"#;
        let rules = json(text).expect("rules");
        assert_eq!(rules, Rules(words.to_vec()));
        assert_eq!(serde_json::to_string(&rules).expect("JSON"), text);
        assert!("a=6310:".parse::<Rule>().is_err());
    }

    /// A text that stands twice is refused, and so is a value that is no account.
    #[test]
    fn refused() {
        let twice = json(r#"{"a":"6310","a ":"6310"}"#).expect_err("twice");
        assert!(twice.contains("given twice"), "{twice}");
        let more = json(r#"{"a":{"account":"6310","party":"x"}}"#).expect_err("a party");
        assert!(more.contains("no other member"), "{more}");
        assert!(json(r#"{"a":null}"#).is_err());
        assert!(json(r#"["a"]"#).is_err());
    }
}
