//! Which rule a bank's text matches, and by which key a row is known when it comes again. Pure; it reads no file.

use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

use crate::{
    domains::import::reading::BankRow,
    model::{Refusal, TEXT_CHARS_MAX, fold_for_search, quoted, typed},
};

/// The most rules of one import.
pub const RULES_MAX: usize = 1_000;
/// Two rules have the same text.
pub const RULE_TWICE: &str = "import_rule_twice";
/// There are more than [`RULES_MAX`] rules.
pub const RULES_TOO_MANY: &str = "import_rules_too_many";

/// Rules, each a part of a description; what a match means is the caller's.
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
}

/// Several rules of one longest length match one description, so none is better than another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleTie {
    /// The rules' texts as the human wrote them, in the order given.
    pub texts: Vec<String>,
    /// Their places among those given, from 0.
    pub places: Vec<usize>,
}

impl OffsetRules {
    /// The rules of one import, in the order given.
    ///
    /// Refuses: empty texts and those over the entry limit, texts that are equal when folded, and more than [`RULES_MAX`].
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<OffsetRules, Refusal> {
        let mut seen = HashSet::new();
        let mut kept = Vec::new();
        for text in texts {
            let text = typed(text, "rule", TEXT_CHARS_MAX)?;
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
            });
        }
        Ok(OffsetRules { rules: kept })
    }

    /// The place of the rule that a description matches among those given, from 0; `None` when none does.
    ///
    /// Refuses: two different rules of one longest length.
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
                places: ties.iter().map(|(place, _)| *place).collect(),
            }),
        }
    }

    /// The text of the rule at a place, as the human wrote it.
    pub fn text(&self, place: usize) -> Option<&str> {
        self.rules.get(place).map(|rule| rule.text.as_str())
    }
}

/// What the other side of a bank row's draft is to another bank account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherSide {
    /// It is that account.
    TheBank,
    /// It is still the account for rows that no rule claims, so it may be any.
    Open,
    /// It is another asset, liability or equity account.
    Elsewhere,
    /// It is revenue or expense: money earned or spent, not moved.
    Result,
}

/// Whether two rows of two accounts can be the two sides of one transfer, by the other sides of their drafts: one of them is the
/// other's account, or may still be while the other is not money earned or spent.
pub fn can_be_transfer(one: OtherSide, other: OtherSide) -> bool {
    use OtherSide::{Elsewhere, Open, Result, TheBank};
    match (one, other) {
        (TheBank, _) | (_, TheBank) | (Open, Open | Elsewhere) | (Elsewhere, Open) => true,
        (Elsewhere | Result, _) | (Open, Result) => false,
    }
}

/// Gives the rows of one file, in its order, the keys by which they are known when they are imported again into the same
/// bank account.
///
/// A key is kept in the journal and its form never changes: `id:ORDINAL:BANK ID`, or
/// `row:ORDINAL:DATE:AMOUNT IN MINOR UNITS:FOLDED DESCRIPTION`. The ordinal, from 1, tells the file's equal rows apart, since
/// two equal rows are two transactions; a bank's id counts too, because some banks write one id on a transfer and its fee.
#[derive(Debug, Default)]
pub struct RowKeys {
    /// How often each row was met, by half a SHA-256 of what it is known by: a file of a million rows has no two alike by chance,
    /// and their texts would take more memory than the file.
    seen: HashMap<[u8; 16], u32>,
}

impl RowKeys {
    /// The key of the file's next row.
    pub fn key(&mut self, row: &BankRow) -> String {
        let (kind, facts) = match &row.bank_id {
            Some(id) => ("id", id.clone()),
            None => {
                let text = fold_for_search(&row.description);
                ("row", format!("{}:{}:{text}", row.date, row.amount_minor))
            }
        };
        let mut print = [0; 16];
        let hash = Sha256::new()
            .chain_update(kind)
            .chain_update([0])
            .chain_update(&facts);
        print.copy_from_slice(&hash.finalize()[..16]);
        let ordinal = self.seen.entry(print).or_insert(0);
        *ordinal = ordinal.saturating_add(1);
        format!("{kind}:{ordinal}:{facts}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(texts: &[&str]) -> Result<OffsetRules, &'static str> {
        OffsetRules::new(texts.iter().copied()).map_err(|r| r.code)
    }

    /// spec/domain.md §10.3, rules: the longest matching part wins, whatever the case.
    #[test]
    fn longest_wins() {
        let rules = rules(&["amzn", "AMZN  Mktp", "Café"]).expect("good rules");
        assert_eq!(rules.place("Amzn Mktp US*2A3"), Ok(Some(1)));
        assert_eq!(rules.text(1), Some("AMZN  Mktp"));
        assert_eq!(rules.place("AMZN digital"), Ok(Some(0)));
        assert_eq!(rules.place("BLUE DOOR CAFE"), Ok(Some(2)));
        assert_eq!(rules.place("Rent"), Ok(None));
        assert_eq!(rules.place(""), Ok(None));
    }

    /// spec/domain.md §10.3, rules: two matches of one longest length refuse the row; a longer third settles it.
    #[test]
    fn ties() {
        let tied = rules(&["shell", "coral", "coral x shell"]).expect("good rules");
        let texts = vec!["shell".to_owned(), "coral".to_owned()];
        let places = vec![0, 1];
        assert_eq!(tied.place("CORAL SHELL"), Err(RuleTie { texts, places }));
        assert_eq!(tied.place("Coral X Shell"), Ok(Some(2)));
    }

    /// Two rows are paired where one's other side is the other's account, or is open and the other's is no result.
    #[test]
    fn transfers() {
        use OtherSide::{Elsewhere, Open, Result, TheBank};
        let all = [TheBank, Open, Elsewhere, Result];
        let pairs = |one| all.map(|other| can_be_transfer(one, other));
        assert_eq!(pairs(TheBank), [true, true, true, true]);
        assert_eq!(pairs(Open), [true, true, true, false]);
        assert_eq!(pairs(Elsewhere), [true, true, false, false]);
        assert_eq!(pairs(Result), [true, false, false, false]);
    }

    /// spec/domain.md §10.3, rules: equal texts are refused at validation, and so are empty ones and too many.
    #[test]
    fn validation() {
        assert_eq!(rules(&["Shell", "SHELL "]), Err(RULE_TWICE));
        assert_eq!(rules(&[" "]), Err("bad_text"));
        assert_eq!(rules(&["a\u{202e}b"]), Err("bad_text"));
        let many: Vec<String> = (0..=RULES_MAX).map(|n| format!("rule {n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(rules(&many), Err(RULES_TOO_MANY));
        assert!(rules(&many[1..]).is_ok());
    }

    fn row(amount_minor: i64, description: &str, bank_id: Option<&str>) -> BankRow {
        BankRow {
            line: 2,
            date: crate::model::Date::new(2026, 10, 31).expect("a day"),
            amount_minor,
            fee_minor: 0,
            description: description.to_owned(),
            text_cleaned: false,
            raw: String::new(),
            bank_id: bank_id.map(str::to_owned),
            check_number: None,
            merchant: String::new(),
            balance_minor: None,
        }
    }

    /// spec/domain.md §10.3, duplicates: the bank's id, else date, amount and description with the ordinal among equals.
    #[test]
    fn keys() {
        let mut keys = RowKeys::default();
        let mut key = |row: &BankRow| keys.key(row);
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
