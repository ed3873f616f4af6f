//! Proofs that classification texts are read as their sources say; no rule stands here.

use super::*;
use proptest::prelude::*;

const TABLE: &[(TaxForm, &[&str])] = &[
    (
        TaxForm::Form1120S,
        &[
            "S corporation",
            "S-Corp",
            "LLC taxed as an S corp",
            "LLC (S)",
            "Form 1120-S",
            "single-member LLC taxed as S corporation",
            "Single-member LLC (S)",
            "LLC electing to be taxed as an S corporation",
            "Subchapter S",
            "SMLLC (S)",
            "S. Corp.",
        ],
    ),
    (
        TaxForm::Form1120,
        &[
            "C corp",
            "corporation",
            "business corp",
            "Business Corporation",
            "U.S. corporation",
            "Women's Corp",
            "Women\u{2019}s Corp",
            "Sales Corp",
            "Acme, Inc.",
            "LLC (C)",
            "Form 1120",
        ],
    ),
    (
        TaxForm::Form1065,
        &[
            "partnership",
            "multi-member LLC",
            "general partnership",
            "LLC taxed as a partnership",
            "LLP",
            "L.L.P.",
            "LLC (P)",
            "limited liability company treated as a partnership",
        ],
    ),
    (
        TaxForm::ScheduleC,
        &[
            "sole proprietorship",
            "sole proprietor",
            "single-member LLC",
            "disregarded entity",
            "Schedule C",
            "Individual",
        ],
    ),
];

/// spec/domain.md §7.3: every row of the table.
#[test]
fn table() {
    for (form, texts) in TABLE {
        for text in *texts {
            assert_eq!(classify(text, 0), Ok(*form), "{text}");
        }
    }
}

/// spec/domain.md §7.3: two classes, none, and a bare LLC without members are refused, naming the choices.
#[test]
fn refused() {
    let cases = [
        (
            "corporation or S corporation",
            "more than one return (1120-S, 1120)",
        ),
        ("partnership/S corp", "more than one return (1120-S, 1065)"),
        ("", "no class"),
        ("llc", "list its members"),
        ("nonprofit", "certainty"),
        ("trust", "no class"),
        ("nonprofit corporation", "certainty"),
        ("not an S corp", "certainty"),
        ("scorpion breeding", "no class"),
        ("LLC taxed as", "no class"),
        (
            "LLC taxed as a partnership, electing S corp",
            "more than one return",
        ),
    ];
    for (text, why) in cases {
        let refusal = classify(text, 0).expect_err("unclear");
        assert_eq!(refusal.code, "tax_classification_unclear");
        for part in [why, "\"S corporation\"", "1120-S, 1120", "schedule_c"] {
            assert!(
                refusal.message.contains(part),
                "{text}: {}",
                refusal.message
            );
        }
    }
}

/// Reg. §301.7701-3(b)(1): a bare LLC with two or more members is a partnership; with one the text must say more.
#[test]
fn bare_llc_by_members() {
    assert_eq!(classify("LLC", 2), Ok(TaxForm::Form1065));
    assert_eq!(classify("L.L.C.", 7), Ok(TaxForm::Form1065));
    assert!(classify("LLC", 1).is_err());
    assert!(classify("trust", 2).is_err());
    assert_eq!(classify("LLC (S)", 2), Ok(TaxForm::Form1120S));
}

/// A settings file may spell the return as people do.
#[test]
fn forms() {
    let cases = [
        ("schedule_c", TaxForm::ScheduleC),
        ("Schedule C", TaxForm::ScheduleC),
        ("1065", TaxForm::Form1065),
        ("Form 1065", TaxForm::Form1065),
        ("1120-S", TaxForm::Form1120S),
        ("1120s", TaxForm::Form1120S),
        ("FORM 1120-S", TaxForm::Form1120S),
        ("1120", TaxForm::Form1120),
    ];
    for (text, form) in cases {
        assert_eq!(TaxForm::read(text), Some(form), "{text}");
    }
    for bad in ["", "C", "990", "1120-F", "1040", "partnership"] {
        assert_eq!(TaxForm::read(bad), None, "{bad}");
    }
}

fn any_row() -> impl Strategy<Value = (TaxForm, &'static str)> {
    let rows: Vec<(TaxForm, &'static str)> = TABLE
        .iter()
        .flat_map(|(form, texts)| texts.iter().map(|text| (*form, *text)))
        .collect();
    prop::sample::select(rows)
}

proptest! {
    /// Neither case, nor apostrophes and full stops within words, nor other punctuation between them changes the return.
    #[test]
    fn case_and_punctuation((form, text) in any_row(), seed in any::<u64>(), gap in "[ ,;/()_-]{1,3}") {
        let mut bits = seed;
        let mut changed = String::new();
        for c in text.chars() {
            bits = bits.rotate_left(7) ^ 0x9e37;
            match c {
                ' ' => changed.push_str(&gap),
                c if bits & 1 == 0 => changed.extend(c.to_uppercase()),
                c => changed.extend(c.to_lowercase()),
            }
            if bits & 6 == 6 {
                changed.push(if bits & 8 == 0 { '.' } else { '\'' });
            }
        }
        prop_assert_eq!(classify(&format!("{gap}{changed}{gap}"), 0), Ok(form), "{}", changed);
    }

    /// Any text is answered, and members never change what a text that names a class means.
    #[test]
    fn total(text in ".{0,60}", members in 0_usize..5) {
        if let Ok(form) = classify(&text, 0) {
            prop_assert_eq!(classify(&text, members), Ok(form));
        }
    }
}
