//! Which account a bank's text points to, and by which key a row is known when it comes again. Pure; it reads no file.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use crate::{
    domains::import::reading::BankRow,
    model::{Date, Refusal, TEXT_CHARS_MAX, fold_for_search, quoted, typed},
};

/// The most rules of one import.
pub const RULES_MAX: usize = 1_000;
/// Two rules have the same text.
pub const RULE_TWICE: &str = "import_rule_twice";
/// There are more than [`RULES_MAX`] rules.
pub const RULES_TOO_MANY: &str = "import_rules_too_many";

/// Where a matching row is booked: the account as the human wrote it, and perhaps a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OffsetTarget {
    /// The account's reference: a code, name or id, not yet looked up.
    pub account: String,
    /// The class's reference.
    pub class: Option<String>,
}

impl From<&str> for OffsetTarget {
    fn from(account: &str) -> OffsetTarget {
        OffsetTarget {
            account: account.to_owned(),
            class: None,
        }
    }
}

/// Rules from a part of a description to an account.
///
/// The longest text that stands in the description wins; case, accents and runs of white space do not matter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OffsetRules {
    rules: Vec<OffsetRule>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct OffsetRule {
    text: String,
    folded: String,
    chars: usize,
    target: OffsetTarget,
}

/// Several rules of one longest length match one description, so none is better than another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleTie {
    /// The rules' texts as the human wrote them, in the order given.
    pub texts: Vec<String>,
}

impl OffsetRules {
    /// The rules of one import, in the order given.
    ///
    /// Refuses: empty texts and those over the entry limit, texts that are equal when folded, and more than [`RULES_MAX`].
    pub fn new(
        rules: impl IntoIterator<Item = (String, OffsetTarget)>,
    ) -> Result<OffsetRules, Refusal> {
        let mut seen = HashSet::new();
        let mut kept = Vec::new();
        for (text, target) in rules {
            let text = typed(&text, "rule", TEXT_CHARS_MAX)?;
            let folded = fold_for_search(&text);
            if folded.is_empty() {
                let message = format!("the rule {} has nothing to search for", quoted(&text));
                return Err(Refusal::new("bad_text", message).with("field", "rule"));
            }
            if !seen.insert(folded.clone()) {
                let message = format!(
                    "the rule {} is given twice; case and accents make no difference",
                    quoted(&text)
                );
                return Err(Refusal::new(RULE_TWICE, message).with("rule", text));
            }
            if kept.len() >= RULES_MAX {
                let message = format!("there are more than {RULES_MAX} rules");
                return Err(Refusal::new(RULES_TOO_MANY, message).with("rules_max", RULES_MAX));
            }
            kept.push(OffsetRule {
                text,
                chars: folded.chars().count(),
                folded,
                target,
            });
        }
        Ok(OffsetRules { rules: kept })
    }

    /// The target of a description: `None` when no rule matches.
    ///
    /// Refuses: two different rules of one longest length, whatever their targets.
    pub fn target(&self, description: &str) -> Result<Option<&OffsetTarget>, RuleTie> {
        let place = self.place(description)?;
        Ok(place.and_then(|place| Some(&self.rules.get(place)?.target)))
    }

    /// The same, as the place of the rule among those given, from 0.
    pub fn place(&self, description: &str) -> Result<Option<usize>, RuleTie> {
        if self.rules.is_empty() {
            return Ok(None);
        }
        let text = fold_for_search(description);
        let mut longest: Vec<(usize, &OffsetRule)> = Vec::new();
        let matching = |(_, rule): &(usize, &OffsetRule)| text.contains(&rule.folded);
        for (place, rule) in self.rules.iter().enumerate().filter(matching) {
            let best = longest.first().map_or(0, |(_, best)| best.chars);
            if rule.chars > best {
                longest.clear();
            }
            if rule.chars >= best {
                longest.push((place, rule));
            }
        }
        match longest.as_slice() {
            [] => Ok(None),
            [(place, _)] => Ok(Some(*place)),
            ties => Err(RuleTie {
                texts: ties.iter().map(|(_, rule)| rule.text.clone()).collect(),
            }),
        }
    }

    /// Every target, in the order given, so that all accounts can be looked up before any row is read.
    pub fn targets(&self) -> impl Iterator<Item = &OffsetTarget> {
        self.rules.iter().map(|rule| &rule.target)
    }
}

/// By what a row is known when it is imported again into the same bank account.
///
/// Its text form is kept in the journal and never changes: `id:ORDINAL:BANK ID`, or
/// `row:ORDINAL:DATE:AMOUNT IN MINOR UNITS:FOLDED DESCRIPTION`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RowKey {
    identity: Identity,
    /// Which of the file's rows of this identity it is, from 1: two equal rows are two transactions.
    ordinal: u32,
}

impl RowKey {
    /// Which of the file's equal rows it is, from 1; above 1 the preview says that the file repeats itself.
    pub fn ordinal(&self) -> u32 {
        self.ordinal
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Identity {
    BankId(String),
    Facts {
        date: Date,
        amount_minor: i64,
        description: String,
    },
}

impl fmt::Display for RowKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ordinal = self.ordinal;
        match &self.identity {
            Identity::BankId(id) => write!(f, "id:{ordinal}:{id}"),
            Identity::Facts {
                date,
                amount_minor,
                description,
            } => write!(f, "row:{ordinal}:{date}:{amount_minor}:{description}"),
        }
    }
}

/// Gives the rows of one file their keys, in file order.
///
/// A bank's id counts within the file too, because some banks write one id on several rows (a transfer and its fee).
#[derive(Debug, Default)]
pub struct RowKeys {
    seen: HashMap<Identity, u32>,
}

impl RowKeys {
    /// The key of the file's next row.
    pub fn key(&mut self, row: &BankRow) -> RowKey {
        let identity = match &row.bank_id {
            Some(id) => Identity::BankId(id.clone()),
            None => Identity::Facts {
                date: row.date,
                amount_minor: row.amount_minor,
                description: fold_for_search(&row.description),
            },
        };
        let ordinal = self.seen.entry(identity.clone()).or_insert(0);
        *ordinal = ordinal.saturating_add(1);
        RowKey {
            identity,
            ordinal: *ordinal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(texts: &[(&str, &str)]) -> Result<OffsetRules, &'static str> {
        let pairs = texts
            .iter()
            .map(|(text, account)| ((*text).to_owned(), OffsetTarget::from(*account)));
        OffsetRules::new(pairs).map_err(|r| r.code)
    }

    /// spec/domain.md §10.3, rules: the longest matching part wins, whatever the case.
    #[test]
    fn longest_wins() {
        let rules = rules(&[("amzn", "6100"), ("AMZN  Mktp", "6200"), ("Café", "6300")]);
        let rules = rules.expect("good rules");
        let account = |text| rules.target(text).map(|t| t.map(|t| t.account.as_str()));
        assert_eq!(account("Amzn Mktp US*2A3"), Ok(Some("6200")));
        assert_eq!(account("AMZN digital"), Ok(Some("6100")));
        assert_eq!(account("BLUE DOOR CAFE"), Ok(Some("6300")));
        assert_eq!(account("Rent"), Ok(None));
        assert_eq!(account(""), Ok(None));
    }

    /// spec/domain.md §10.3, rules: two matches of one longest length refuse the row; a longer third settles it.
    #[test]
    fn ties() {
        let tied = rules(&[
            ("shell", "6100"),
            ("coral", "6200"),
            ("coral x shell", "6300"),
        ]);
        let tied = tied.expect("good rules");
        let texts = vec!["shell".to_owned(), "coral".to_owned()];
        assert_eq!(tied.target("CORAL SHELL"), Err(RuleTie { texts }));
        let settled = tied.target("Coral X Shell").map(|t| t.map(|t| &*t.account));
        assert_eq!(settled, Ok(Some("6300")));
    }

    /// spec/domain.md §10.3, rules: equal texts are refused at validation, and so are empty ones and too many.
    #[test]
    fn validation() {
        assert_eq!(
            rules(&[("Shell", "6100"), ("SHELL ", "6100")]),
            Err(RULE_TWICE)
        );
        assert_eq!(rules(&[(" ", "6100")]), Err("bad_text"));
        assert_eq!(rules(&[("a\u{202e}b", "6100")]), Err("bad_text"));
        let many: Vec<String> = (0..=RULES_MAX).map(|n| format!("rule {n}")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|t| (t.as_str(), "6100")).collect();
        assert_eq!(rules(&many), Err(RULES_TOO_MANY));
        assert!(rules(&many[1..]).is_ok());
    }

    fn row(amount_minor: i64, description: &str, bank_id: Option<&str>) -> BankRow {
        BankRow {
            line: 2,
            date: Date::new(2026, 10, 31).expect("a day"),
            amount_minor,
            description: description.to_owned(),
            text_cleaned: false,
            raw: String::new(),
            bank_id: bank_id.map(str::to_owned),
            merchant: String::new(),
            balance_minor: None,
        }
    }

    /// spec/domain.md §10.3, duplicates: the bank's id, else date, amount and description with the ordinal among equals.
    #[test]
    fn keys() {
        let mut keys = RowKeys::default();
        let mut key = |row: &BankRow| keys.key(row).to_string();
        assert_eq!(
            key(&row(-500, "Coffee  BAR", None)),
            "row:1:2026-10-31:-500:coffee bar"
        );
        assert_eq!(
            key(&row(-500, "coffee bar", None)),
            "row:2:2026-10-31:-500:coffee bar"
        );
        assert_eq!(
            key(&row(-501, "coffee bar", None)),
            "row:1:2026-10-31:-501:coffee bar"
        );
        assert_eq!(key(&row(-500, "coffee bar", Some("T9"))), "id:1:T9");
        assert_eq!(key(&row(-7, "fee", Some("T9"))), "id:2:T9");
        assert_eq!(
            key(&row(-500, "Coffee bar", None)),
            "row:3:2026-10-31:-500:coffee bar"
        );
    }
}
