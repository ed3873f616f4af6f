//! Proofs about members, the accounts of the books and the return; no rule stands here.

use super::*;

/// spec/domain.md §7.2: duplicate and blank members, shared accounts and shares that are not a whole are refused.
#[test]
fn members() {
    let two = |a: (&str, &str, &str), b: (&str, &str, &str)| {
        member(a.0, a.1, a.2) + &member(b.0, b.1, b.2)
    };
    refused(
        &two(("Ann", "50%", "3010"), ("ANN", "50%", "3020")),
        &["line 6", "\"ANN\"", "member 1"],
    );
    refused(
        &two(("Ann", "50%", "3010"), (" ", "50%", "3020")),
        &["members 2: name", "visible"],
    );
    refused(
        &two(("Ann", "50%", "3010"), ("Bo", "50%", " 3010 ")),
        &["capital_account is \"3010\""],
    );
    refused(
        &two(("Ann", "50%", "3010"), ("Bo", "49.99%", "3020")),
        &["99.99%", "exactly 100%"],
    );
    refused(
        &two(("Ann", "50%", "3010"), ("Bo", "50.01%", "3020")),
        &["100.01%"],
    );
    refused(
        &two(("Ann", "50%", "3010"), ("Bo", "half", "3020")),
        &["\"half\"", "\"0.5\""],
    );
    refused(
        &two(("Ann", "101%", "3010"), ("Bo", "0%", "3020")),
        &["\"101%\""],
    );
    let own = member("Ann", "1", "3010") + "distribution_account = \"3010\"\n";
    refused(&own, &["distribution_account is \"3010\"", "member 1"]);
    refused(
        "[[company.members]]\nname = \"Ann\"\nshare = \"1\"\n",
        &["line 1", "capital_account is missing"],
    );
    refused(
        "[company]\nmembers = [\"Ann\"]\n",
        &["line 2", "[[company.members]]"],
    );
    refused(
        &(member("Ann", "1", "3010") + "capital = \"1\"\n"),
        &["members 1: \"capital\"", "distribution_account"],
    );
    let thirds =
        member("A", "33.34%", "1") + &member("B", "33.33%", "2") + &member("C", "0.3333", "3");
    let weights: Vec<u64> = Settings::parse(&thirds)
        .expect("a whole")
        .members
        .iter()
        .map(|m| m.share.weight())
        .collect();
    assert_eq!(weights, [33_340_000, 33_330_000, 33_330_000]);
    let hundred: String = (0..100)
        .map(|i| member(&format!("M{i}"), "1%", &format!("{i}")))
        .collect();
    refused(&hundred, &["at most 99 members"]);
}

/// Lists refuse duplicates and blanks; a close refuses to empty the account it fills; a code in two roles is noted.
#[test]
fn accounts() {
    refused(
        "[books]\ncash_accounts = [\"1000\", \" 1000\"]\n",
        &["cash_accounts is \" 1000\"", "different"],
    );
    refused(
        "[books]\ncash_accounts = [\"1000\", \"\"]\n",
        &["cash_accounts is \"\""],
    );
    refused(
        "[books]\ncash_accounts = \"1000\"\n",
        &["cash_accounts is \"1000\"", "a list"],
    );
    refused(
        "[books]\nclose_into = \"3000\"\nclose_sweep = [\"3000\"]\n",
        &["line 3", "close_into"],
    );
    refused(
        "[books]\nclose_into = \"123456789012345678901\"\n",
        &["1 to 20"],
    );
    let both = Settings::parse("[books]\ncash_accounts = [\"1\"]\nfinancing_accounts = [\"1\"]\n");
    assert_eq!(
        both.map(|s| s.notes),
        Ok(words(&[
            "account 1 is in both cash_accounts and financing_accounts; the cash flow statement takes it in one only: remove it from one"
        ]))
    );
    let unused = member("A", "1", "3010") + "[books]\nclose_into = \"3000\"\n";
    assert!(Settings::parse(&unused).expect("legal").notes[0].contains("not used while members"));
}

/// The return is tax_form, else what the classification means; a classification that cannot be read is refused.
#[test]
fn tax_forms() {
    let form = |text: &str| {
        Settings::parse(&format!("[company]\n{text}\n")).map(|s| (s.tax_form, s.notes.len()))
    };
    assert_eq!(
        form("tax_form = \"Form 1120-S\""),
        Ok((Some(TaxForm::Form1120S), 0))
    );
    assert_eq!(form("tax_form = 1065"), Ok((Some(TaxForm::Form1065), 0)));
    assert_eq!(
        form("tax_classification = \"Women's Corp\""),
        Ok((Some(TaxForm::Form1120), 0))
    );
    assert_eq!(
        form("tax_form = \"1120-S\"\ntax_classification = \"LLC\""),
        Ok((Some(TaxForm::Form1120S), 0))
    );
    assert_eq!(
        form("tax_form = \"1120\"\ntax_classification = \"S corp\""),
        Ok((Some(TaxForm::Form1120), 1))
    );
    refused(
        "[company]\ntax_form = \"990\"\n",
        &["\"990\"", "schedule_c, 1065, 1120-S, 1120"],
    );
    refused(
        "[company]\ntax_classification = \"LLC\"\n",
        &["line 2: [company] tax_classification: \"LLC\"", "members"],
    );
    let llc = "[company]\ntax_classification = \"LLC\"\n".to_owned()
        + &member("A", "50%", "1")
        + &member("B", "50%", "2");
    assert_eq!(
        Settings::parse(&llc).map(|s| s.tax_form),
        Ok(Some(TaxForm::Form1065))
    );
}

/// A classification is not judged beside a tax_form that is itself refused: the form decides, so one fault says enough.
#[test]
fn one_fault_for_the_return() {
    let text = "[company]\ntax_form = \"990\"\ntax_classification = \"trust\"\n";
    refused(text, &["line 2: [company] tax_form is \"990\""]);
}

/// A count of members that does not suit the return, and closing accounts beside members, earn a note each.
#[test]
fn notes_about_members() {
    let notes = |head: &str, members: &str, tail: &str| {
        let text = format!("[company]\n{head}\n{members}{tail}");
        Settings::parse(&text).expect("legal").notes
    };
    let one = member("A", "1", "3010");
    let two = member("A", "50%", "3010") + &member("B", "50%", "3020");
    assert!(notes("tax_form = \"schedule_c\"", &two, "")[0].contains("has one owner"));
    assert!(notes("tax_form = \"1065\"", &one, "")[0].contains("two or more owners"));
    assert!(notes("", &one, "[books]\nclose_sweep = [\"3100\"]\n")[0].contains("close_sweep"));
    assert_eq!(notes("tax_form = \"1065\"", &two, ""), words(&[]));
    assert!(notes("tax_form = \"schedule_c\"", &one, "")[0].contains("close_into"));
    for form in ["1120", "1120-S"] {
        let notes = notes(&format!("tax_form = \"{form}\""), &two, "");
        assert!(notes[0].contains("a corporation keeps retained earnings"));
    }
}

/// Income is allocated to members wherever any are listed, except in a corporation.
#[test]
fn allocating() {
    let allocates = |form: &str, members: &str| {
        let text = format!("[company]\ntax_form = \"{form}\"\n{members}");
        Settings::parse(&text).expect("legal").allocates()
    };
    let two = member("A", "50%", "3010") + &member("B", "50%", "3020");
    let found = ["1065", "schedule_c", "1120", "1120-S"].map(|form| allocates(form, &two));
    assert_eq!(found, [true, true, false, false]);
    assert!(!allocates("1065", ""));
}
