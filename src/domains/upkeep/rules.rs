//! Heads written down elsewhere (a report's footer, a backup's manifest, a CPA's file) and how a journal answers to them. Pure.

use std::{fmt, str::FromStr};

use crate::{model::quoted, wire_enum, wire_string};

/// The fewest hex digits by which an event's hash is named: 64 bits, too many to be met by chance. Against someone who means
/// to forge a history the 80 bits of a footer count; nothing of ours prints fewer.
///
/// Source: spec/reliability.md 8.1.
const DIGITS_MIN: usize = 16;
/// A whole SHA-256.
const DIGITS_MAX: usize = 64;
/// The digits of one group in a footer, and how many groups it prints.
const GROUP: usize = 4;
const GROUPS: usize = 5;
/// What stands before the event's number in a footer.
const JOURNAL: &str = "journal ";

/// A head that was seen: an event's number and the first digits of its hash.
///
/// Written `SEQ:HEX`, or as it stands in a statement's footer: `journal 1234 · 7f3a 91c2 0b5e d410 88aa`, with or without what
/// the footer says before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenHead {
    seq: i64,
    digits: String,
}

impl SeenHead {
    /// The event's number.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    /// The first digits of its hash, in lower case.
    pub fn digits(&self) -> &str {
        &self.digits
    }
}

impl FromStr for SeenHead {
    type Err = String;
    fn from_str(s: &str) -> Result<SeenHead, String> {
        // A footer may have been broken over two lines, and its digits stand in groups.
        let line = s.split_whitespace().collect::<Vec<_>>().join(" ");
        let head = line
            .rsplit_once(JOURNAL)
            .map_or(line.as_str(), |(_, head)| head);
        let seen = head.split_once([':', '·']).and_then(|(seq, digits)| {
            let (seq, digits) = (seq.trim(), digits.replace(' ', ""));
            let number = !seq.is_empty() && seq.bytes().all(|b| b.is_ascii_digit());
            let hex = digits.bytes().all(|b| b.is_ascii_hexdigit())
                && (DIGITS_MIN..=DIGITS_MAX).contains(&digits.len());
            let seq = seq.parse().ok().filter(|seq| number && hex && *seq > 0)?;
            Some(SeenHead {
                seq,
                digits: digits.to_ascii_lowercase(),
            })
        });
        seen.ok_or_else(|| {
            format!(
                "{} is not a head like 1234:7f3a91c20b5ed41088aa or \"journal 1234 · 7f3a 91c2 0b5e d410 88aa\": an event's \
                 number, a colon or middle dot, {DIGITS_MIN} to {DIGITS_MAX} hex digits",
                quoted(s)
            )
        })
    }
}

impl fmt::Display for SeenHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.seq, self.digits)
    }
}

/// The heads in a text that people pasted: every footer of a statement in it, wherever its lines break, and every line that is a
/// head. What is neither is passed over.
///
/// Refuses: a text in which there is none, or which is not UTF-8; and a footer that is cut short.
pub fn heads_in(text: &[u8]) -> Result<Vec<SeenHead>, String> {
    let text = std::str::from_utf8(text).map_err(|_| "the file of heads is not UTF-8 text")?;
    let mut heads = Vec::new();
    for footer in text.split(JOURNAL).skip(1) {
        // Of what follows the word, only a number and a middle dot make a footer.
        let Some((seq, rest)) = footer.split_once('·') else {
            continue;
        };
        if seq.trim().is_empty() || !seq.trim().bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        let mut words = rest.split_whitespace().peekable();
        let hex = |word: &&str| word.bytes().all(|b| b.is_ascii_hexdigit());
        let digits: String = match words.peek() {
            // Written in one piece.
            Some(word) if word.len() > GROUP => {
                word.chars().filter(char::is_ascii_hexdigit).collect()
            }
            // What stands behind a footer's groups is not the footer's, though it may look like one more.
            _ => words.take_while(hex).take(GROUPS).collect(),
        };
        heads.push(format!("{}:{digits}", seq.trim()).parse()?);
    }
    for line in text.lines().filter(|line| !line.contains(JOURNAL)) {
        heads.extend(line.trim().parse::<SeenHead>());
    }
    if heads.is_empty() {
        return Err("the file holds no head: no footer like \"journal 1234 · 7f3a 91c2 0b5e d410 88aa\", no line like \
                    1234:7f3a91c20b5ed41088aa"
            .to_owned());
    }
    Ok(heads)
}

wire_string!(SeenHead, "SeenHead", { "type": "string", "pattern": "[0-9] ?[:·] ?[0-9a-fA-F ]{16,79}$" });

wire_enum! {
    /// How a journal stands to a head that was seen.
    pub enum Continuation {
        /// It ends there
        Equal = "equal",
        /// It goes on from there
        Extends = "extends",
        /// It ends before: an older state stands here
        Shorter = "shorter",
        /// It has another event there: another history
        Diverged = "diverged",
        /// A person gave the state up that ended there
        GivenUp = "given_up",
    }
}

/// How a journal of `events` events stands to a head that was seen; `hash_there` is the hash of the event of that number, if
/// there is one.
pub fn continuation(seen: &SeenHead, events: i64, hash_there: Option<&str>) -> Continuation {
    match hash_there {
        Some(hash) if !hash.starts_with(&seen.digits) => Continuation::Diverged,
        Some(_) if seen.seq == events => Continuation::Equal,
        Some(_) => Continuation::Extends,
        None => Continuation::Shorter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(s: &str) -> Option<String> {
        s.parse::<SeenHead>().map(|h| h.to_string()).ok()
    }

    /// A head is a number and 16 to 64 hex digits, whatever their case; nothing shorter counts as evidence.
    #[test]
    fn grammar() {
        let sixteen = shown("12:7F3A91C20B5ED410");
        assert_eq!(sixteen.as_deref(), Some("12:7f3a91c20b5ed410"));
        assert!(shown(&format!("1:{}", "a".repeat(64))).is_some());
        let bad = [
            "",
            "12",
            "12:",
            ":7f3a91c20b5ed410",
            "0:7f3a91c20b5ed410",
            "-1:7f3a91c20b5ed410",
            "+1:7f3a91c20b5ed410",
            "12:7f3a91c20b5ed41",
            "12:7f3a91c20b5ed41g",
            "12 7f3a91c20b5ed410",
            "12:13:7f3a91c20b5ed410",
            "1 2:7f3a91c20b5ed410",
            "journal · 7f3a 91c2 0b5e d410 88aa",
            "99999999999999999999:7f3a91c20b5ed410",
        ];
        for bad in bad {
            assert_eq!(shown(bad), None, "{bad:?}");
        }
        assert_eq!(shown(&format!("1:{}", "a".repeat(65))), None);
    }

    /// The form that a statement's footer prints is taken as it stands, whole or from the number on, broken over lines or not.
    #[test]
    fn footers() {
        let footer = crate::present::Footer {
            basis: "accrual".to_owned(),
            prepared_on: "2026-11-30".parse().expect("a day"),
            seq: 1234,
            head: "7f3a91c20b5ed41088aa".to_owned(),
        }
        .text();
        for form in [
            footer.as_str(),
            "journal 1234 · 7f3a 91c2 0b5e d410 88aa",
            "1234 · 7f3a 91c2 0b5e d410 88aa",
            "1234 · 7f3a 91c2\n  0b5e d410 88aa\n",
            "1234·7f3a91c20b5ed41088aa",
            "1234:7f3a 91c2 0b5e d410 88aa",
        ] {
            assert_eq!(
                shown(form).as_deref(),
                Some("1234:7f3a91c20b5ed41088aa"),
                "{form}"
            );
        }
    }

    /// Heads are found in what people paste: footers among other text, and lines of their own; a footer that is cut short is
    /// refused, and so is a file without any.
    #[test]
    fn pasted() {
        let found = |text: &str| {
            heads_in(text.as_bytes())
                .map(|heads| heads.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let text = "Profit and loss\n  Basis: accrual. Prepared 2026-11-30. journal 12 · 7f3a 91c2\n  0b5e d410 88aa\n2026 was good\n\
                    34:7F3A91C20B5ED410\nThe journal was kept well. journal 7 · 7f3a91c20b5ed41088aa.\n";
        let want = [
            "12:7f3a91c20b5ed41088aa",
            "7:7f3a91c20b5ed41088aa",
            "34:7f3a91c20b5ed410",
        ];
        assert_eq!(found(text), Ok(want.map(str::to_owned).to_vec()));
        for bad in [
            "",
            "no heads\n",
            "journal 12 · 7f3a 91c2",
            "1:7f3a91c20b5ed41",
        ] {
            assert!(found(bad).is_err(), "{bad:?}");
        }
        assert!(heads_in(b"\xff").is_err());
    }

    /// spec/reliability.md §8.1: equal, extends, shorter, diverged.
    #[test]
    fn answers() {
        let hash = "7f3a91c20b5ed410".repeat(4);
        let other = "0".repeat(64);
        let seen: SeenHead = "5:7f3a91c20b5ed410".parse().expect("a head");
        let cases = [
            (5, Some(hash.as_str()), Continuation::Equal),
            (9, Some(hash.as_str()), Continuation::Extends),
            (4, None, Continuation::Shorter),
            (5, Some(other.as_str()), Continuation::Diverged),
            (9, Some(other.as_str()), Continuation::Diverged),
        ];
        for (events, there, want) in cases {
            assert_eq!(continuation(&seen, events, there), want, "{events}");
        }
    }
}
