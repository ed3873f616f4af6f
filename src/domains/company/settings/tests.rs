//! Proofs that a settings file is read, and refused, as its sources say; no rule stands here.

mod owners;

use super::*;
use crate::domains::company::Share;
use proptest::prelude::*;

/// Every key, each with another spelling than its default.
const FULL: &str = r#"
[company]
name = " Acme LLC "
fiscal_year_start = "07-01"
tax_classification = "multi-member LLC"

[[company.members]]
name = "Ann Ode"
share = "52.5%"
capital_account = " 3010 "
distribution_account = "3015"

[[company.members]]
name = "Bo Li"
share = 0.475
capital_account = 3020

[books]
accounting_basis = "cash"
receipt_threshold = "75.00"
cash_accounts = ["1000", " 1010 ", 1050]
financing_accounts = ["2600"]
investing_accounts = ["1700"]
asset_tag_prefix = "AC"

[mcp]
require_preview = false

[files]
import_dirs = ["inbox", "/srv/bank"]

[reports]
fallback_fonts = ["fonts/Noto.ttf"]

[vault]
key_file = "~/keys/vault.key"
"#;

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| (*s).to_owned()).collect()
}

fn share(text: &str) -> Share {
    text.parse().expect("a share")
}

/// The messages of every fault of a text, without the file's name.
fn faults(text: &str) -> Vec<String> {
    let faults = Settings::parse(text).expect_err("a fault");
    let message = |r: Refusal| r.message.replace("wanderbooks.toml ", "");
    faults.into_iter().map(message).collect()
}

/// The text is refused once, and the message holds every part.
fn refused(text: &str, parts: &[&str]) {
    let list = faults(text);
    assert_eq!(list.len(), 1, "{list:?}");
    for part in parts {
        assert!(list[0].contains(part), "{part} not in {list:?}");
    }
}

/// Every key of the reference and of ours is read; codes are trimmed and may be written as numbers.
#[test]
fn every_key() {
    let want = Settings {
        company: Some("Acme LLC".to_owned()),
        fiscal_year_start: Month::new(7).expect("July"),
        tax_form: Some(TaxForm::Form1065),
        tax_classification: Some("multi-member LLC".to_owned()),
        members: vec![
            Member {
                name: "Ann Ode".to_owned(),
                share: share("52.5%"),
                capital_account: "3010".to_owned(),
                distribution_account: Some("3015".to_owned()),
            },
            Member {
                name: "Bo Li".to_owned(),
                share: share("47.5%"),
                capital_account: "3020".to_owned(),
                distribution_account: None,
            },
        ],
        accounting_basis: AccountingBasis::Cash,
        receipt_threshold: "75.00".parse().ok(),
        cash_accounts: words(&["1000", "1010", "1050"]),
        financing_accounts: words(&["2600"]),
        investing_accounts: words(&["1700"]),
        close_into: None,
        close_sweep: Vec::new(),
        asset_tag_prefix: Some("AC".to_owned()),
        require_preview: false,
        import_dirs: words(&["inbox", "/srv/bank"]),
        fallback_fonts: words(&["fonts/Noto.ttf"]),
        key_file: Some("~/keys/vault.key".to_owned()),
        notes: words(&[
            "a partnership normally takes its majority partners' tax year, else the calendar year (IRC §706(b)(1)(B)); ask the \
             CPA whether this fiscal year is permitted",
        ]),
    };
    assert_eq!(Settings::parse(FULL), Ok(want));
}

/// An empty file is legal: calendar year, accrual, previews required, nothing else known.
#[test]
fn defaults() {
    for text in [
        "",
        "\n# nothing\n",
        "[company]\n[books]\n",
        "\u{feff}[company]\r\n",
    ] {
        assert_eq!(Settings::parse(text), Ok(Settings::default()), "{text:?}");
    }
    assert!(Settings::default().require_preview);
}

/// spec/domain.md §7.2: a fiscal year starts on the first of a month; the fault names the line, the value and the form.
#[test]
fn fiscal_years() {
    for bad in ["02-30", "13-01", "07-15", "7-1"] {
        let text = format!("[company]\nfiscal_year_start = \"{bad}\"\n");
        let value = format!("fiscal_year_start is \"{bad}\"");
        refused(
            &text,
            &["line 2: [company] ", &value, "MM-01", "52-53-week"],
        );
    }
    for (text, month) in [("01-01", Month::new(1)), ("12-01", Month::new(12))] {
        let settings = Settings::parse(&format!("company.fiscal_year_start = \"{text}\""));
        assert_eq!(settings.ok().map(|s| s.fiscal_year_start), month);
    }
}

/// spec/domain.md §7.2: a partnership, S corporation or sole proprietor with another year than the calendar's earns a note, no refusal.
#[test]
fn fiscal_year_notes() {
    let notes = |form: &str, start: &str| {
        let text = format!("[company]\ntax_form = \"{form}\"\nfiscal_year_start = \"{start}\"\n");
        Settings::parse(&text).expect("legal").notes
    };
    assert!(notes("1065", "07-01")[0].contains("§706(b)(1)(B)"));
    assert!(notes("1120-S", "10-01")[0].contains("§1378"));
    assert!(notes("schedule_c", "07-01")[0].contains("§441"));
    for (form, start) in [("1065", "01-01"), ("1120-S", "01-01"), ("1120", "07-01")] {
        assert_eq!(notes(form, start), Vec::<String>::new(), "{form} {start}");
    }
}

fn member(name: &str, share: &str, capital: &str) -> String {
    format!(
        "[[company.members]]\nname = \"{name}\"\nshare = \"{share}\"\ncapital_account = \"{capital}\"\n"
    )
}

/// spec/domain.md §7.2: a receipt threshold is a plain decimal of zero or more, kept exactly as written.
#[test]
fn receipt_thresholds() {
    let read = |text: &str| Settings::parse(&format!("[books]\nreceipt_threshold = {text}\n"));
    for (text, want) in [
        ("\"0\"", "0"),
        ("\"25.00\"", "25.00"),
        ("75", "75"),
        ("0.10", "0.10"),
        ("\" 5 \"", "5"),
    ] {
        let threshold = read(text).expect("legal").receipt_threshold;
        assert_eq!(
            threshold.map(|m| m.to_string()).as_deref(),
            Some(want),
            "{text}"
        );
    }
    let bad = [
        "\"-1\"",
        "-1",
        "\"-0.00\"",
        "\"\"",
        "\"$25\"",
        "\"1,000\"",
        "\"1e3\"",
        "1e3",
        "inf",
        "nan",
        "true",
        "\"0.0001\"",
        "\"25.\"",
        "\"+5\"",
        "0x19",
        "\"1000000000000\"",
        "[]",
    ];
    for bad in bad {
        let faults = read(bad).expect_err(bad);
        assert_eq!(faults.len(), 1);
        assert!(
            faults[0].message.contains("[books] receipt_threshold is"),
            "{faults:?}"
        );
    }
}

/// An unknown section or key is refused by name, with the known ones; nothing is silently ignored.
#[test]
fn unknown_names() {
    refused(
        "[company]\ncolour = 1\n",
        &[
            "line 2: [company] \"colour\" is not known",
            "name, fiscal_year_start",
        ],
    );
    refused(
        "[policy]\nrequire_preview = true\n",
        &[
            "\"policy\" is not known",
            "company, books, mcp, files, reports, vault",
        ],
    );
    refused(
        "[books]\nclose_in_to = \"3000\"\n",
        &["\"close_in_to\"", "close_into"],
    );
    refused("company = 3\n", &["company is \"3\"", "[company]"]);
    refused("[[books]]\n", &["books is \"a list of 1\""]);
    refused("\"a\\u001bb\" = 1\n", &["a\\u{1b}b"]);
}

/// All faults come together, in the file's order, each with its line.
#[test]
fn all_faults_together() {
    let text = "[books]\naccounting_basis = \"tax\"\nwrong = 1\nclose_into = \"\"\n[mcp]\nrequire_preview = \"yes\"\n\
                [company]\nname = \"\"\n";
    let list = faults(text);
    let starts = [
        "line 2: [books] accounting_basis is \"tax\"; it takes \"accrual\" or \"cash\"",
        "line 3: [books] \"wrong\" is not known",
        "line 4: [books] close_into is \"\"",
        "line 6: [mcp] require_preview is \"yes\"; it takes true or false",
        "line 8: [company] name is \"\"",
    ];
    assert_eq!(list.len(), starts.len(), "{list:?}");
    for (fault, start) in list.iter().zip(starts) {
        assert!(fault.starts_with(start), "{fault}");
    }
}

/// spec/reliability.md D3: a file over one MiB, broken TOML and endless nesting are refused, not survived by luck.
#[test]
fn hostile_files() {
    let code = |text: &str| Settings::parse(text).expect_err("refused")[0].code;
    assert_eq!(
        code(&"#".repeat(SETTINGS_BYTES_MAX + 1)),
        "settings_too_large"
    );
    assert!(Settings::parse(&"#".repeat(SETTINGS_BYTES_MAX)).is_ok());
    assert_eq!(
        code(&format!("a = {}", "[".repeat(100_000))),
        "settings_syntax"
    );
    assert_eq!(
        code("[company]\nname = \"a\"\nname = \"b\"\n"),
        "settings_syntax"
    );
    refused("[company]\nname = \"a\n", &["line 2: not valid TOML"]);
    let many: String = (0..20_000).map(|i| format!("k{i} = 1\n")).collect();
    let list = faults(&many);
    assert_eq!(
        (list.len(), list[100].as_str()),
        (101, "has 19900 more faults than are listed here")
    );
    assert!(list[0].starts_with("line 1: \"k0\""));
}

proptest! {
    /// Any text is answered: settings whose members are a whole, or faults that each name a line.
    #[test]
    fn any_text(text in "(\\[company\\]\n|\\[\\[company\\.members\\]\\]\n|[a-z_]{1,8} = (\"[a-z0-9%.-]{0,6}\"|[0-9.-]{1,4}|true|\\[\\])\n|share = \"(0.5|50%)\"\n|name = \"[ab]\"\n|capital_account = \"[12]\"\n){0,12}") {
        match Settings::parse(&text) {
            Ok(settings) => {
                let sum: u64 = settings.members.iter().map(|m| m.share.weight()).sum();
                prop_assert!(settings.members.is_empty() || sum == 100_000_000);
            }
            Err(faults) => for fault in faults {
                prop_assert!(fault.message.starts_with("wanderbooks.toml line "), "{}", fault.message);
            }
        }
    }
}

/// Every key of the sections about the company and its books stands in the chapter.
#[test]
fn every_key_is_told() {
    let chapter = include_str!("../about.md");
    let told = KNOWN
        .iter()
        .filter(|(section, _)| matches!(*section, "company" | "books" | "mcp"));
    for key in told.flat_map(|(_, keys)| *keys) {
        assert!(chapter.contains(key), "{key}");
    }
}
