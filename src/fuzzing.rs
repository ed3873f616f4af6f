//! What must hold for any bytes that a reader is given: an oracle for each fuzz target of `tests/fuzz`. The cases kept there
//! are replayed by `cargo test`. Compiled for fuzzing and tests alone.

use crate::{
    domains::{company::Settings, import},
    faces::mcp::wire::{State, Verdict, classify},
    model::{Currency, Date, Money, has_hostile},
    store::line_holds,
};

/// Panics where something does not hold.
type Oracle = fn(&[u8]);

/// An oracle for each target, by the target's name.
const ORACLES: [(&str, Oracle); 6] = [
    ("amount", amount),
    ("date", date),
    ("bank_csv", import::fuzz_bank_csv),
    ("settings", settings),
    ("message", message),
    ("journal_line", journal_line),
];

/// Holds bytes to the oracle of a target.
pub fn hold(target: &str, bytes: &[u8]) {
    let (_, oracle) = ORACLES
        .iter()
        .find(|(name, _)| *name == target)
        .expect("a target is named after its oracle");
    oracle(bytes);
}

/// An amount that is read is written as it was typed, but for leading zeros and a minus before nothing, and is read again as
/// itself; in minor units of a currency it is exact or refused.
fn amount(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(money) = text.parse::<Money>() else {
        return;
    };
    let plain = |text: &str| {
        let digits = text.trim_start_matches('-').trim_start_matches('0');
        digits
            .strip_prefix('.')
            .map_or(digits.to_owned(), |f| format!(".{f}"))
    };
    let written = money.to_string();
    assert_eq!(plain(&written), plain(text));
    assert_eq!(written.parse(), Ok(money));
    for code in ["USD", "JPY", "KWD"] {
        let currency = Currency::from_code(code).expect("ISO 4217 lists it");
        if let Some(minor) = money.to_minor(currency.exponent()) {
            assert_eq!(
                Money::from_minor(minor, currency.exponent()).decimal(),
                money.decimal()
            );
        }
    }
}

/// A day that is read is written as it was typed, and is the same day as a number.
fn date(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(day) = text.parse::<Date>() else {
        return;
    };
    assert_eq!(day.to_string(), text);
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    assert_eq!(day.number().to_string(), digits.trim_start_matches('0'));
}

/// Settings are read the same way twice; what is refused says why, with nothing hidden in it.
fn settings(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match Settings::parse(text) {
        Ok(settings) => assert_eq!(Settings::parse(text).ok(), Some(settings)),
        Err(refusals) => {
            assert!(!refusals.is_empty());
            for refusal in refusals {
                assert!(!refusal.message.is_empty() && !has_hostile(&refusal.message));
            }
        }
    }
}

/// A line from a client is a message, nothing, or answered with one of JSON-RPC's codes; the state it leaves judges a plain
/// request as ever.
fn message(bytes: &[u8]) {
    let mut state = State::default();
    for line in bytes.split(|byte| *byte == b'\n') {
        if let Verdict::Reject(rejection) = classify(line, &mut state) {
            assert!((-32_700..=-32_600).contains(&rejection.code.0));
            assert!(!rejection.message.is_empty() && !has_hostile(&rejection.message));
        }
    }
    let ping = br#"{"jsonrpc":"2.0","id":"the oracle's own","method":"ping"}"#;
    assert!(matches!(classify(ping, &mut state), Verdict::Pass(_)));
}

/// A line of a journal is refused, or is the first of one; a line that is taken is refused with any byte of it changed.
fn journal_line(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if line_holds(text, None) {
        let hash = crate::store::line_hash(text);
        assert!(line_holds(text, Some(&hash)));
        let other = format!("{text} ");
        assert!(!line_holds(&other, Some(&hash)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, path::Path};

    /// Every kept case holds.
    #[test]
    fn kept_cases() {
        for (target, oracle) in ORACLES {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tests/fuzz/corpus")
                .join(target);
            let mut cases = 0;
            for entry in fs::read_dir(&folder).expect("every target has cases") {
                let path = entry.expect("a case").path();
                let bytes = fs::read(&path).expect("a case is a file");
                let held = std::panic::catch_unwind(|| oracle(&bytes));
                assert!(held.is_ok(), "{}", path.display());
                cases += 1;
            }
            assert!(cases >= 5, "{target} has {cases} cases");
        }
    }
}
