//! Books as other programs see them: their postings written in the plain-text forms of ledger, hledger and beancount, and every
//! balance compared. Where a program is not installed it says so and compares nothing.

use std::{
    collections::BTreeMap, fmt::Write as _, fs, io::Write as _, path::Path, process::Command,
};

use serde_json::Value;

/// Books with what they say of themselves.
pub struct Book {
    /// A name of its own, of letters and digits.
    pub name: String,
    /// The lines of the journal.
    pub journal: Vec<Value>,
    /// Each account's raw balance in minor units, by id; those at zero are left out.
    pub balances: BTreeMap<i64, i128>,
}

/// Minor units with two decimals.
fn money(minor: i128) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", minor.abs() / 100, minor.abs() % 100)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

impl Book {
    /// The posted entries of the journal.
    fn posted(&self) -> impl Iterator<Item = &Value> {
        let posted = self
            .journal
            .iter()
            .filter(|line| line["type"] == "entry.posted");
        posted.map(|line| &line["data"])
    }

    /// The postings as ledger and hledger read them. Accounts are named by id, so that no code can be taken for anything else.
    fn plain(&self, out: &mut String) {
        for entry in self.posted() {
            writeln!(out, "{} entry {}", text(&entry["date"]), entry["entry_id"]).expect("text");
            for line in entry["lines"].as_array().expect("lines") {
                let (id, amount) = (&line["account"], text(&line["amount"]));
                writeln!(out, "  {}:account:{id}  {amount} USD", self.name).expect("text");
            }
            out.push('\n');
        }
    }

    /// The postings and the balances as beancount reads them: it checks each balance itself, to the last digit.
    fn beans(&self, out: &mut String) {
        let account = |id: &Value| format!("Assets:{}:A{id}", self.name);
        let mut accounts: Vec<&Value> = self
            .posted()
            .flat_map(|entry| entry["lines"].as_array().expect("lines"))
            .map(|line| &line["account"])
            .collect();
        accounts.sort_by_key(|id| id.as_i64());
        accounts.dedup();
        for id in &accounts {
            writeln!(out, "1900-01-01 open {}", account(id)).expect("text");
        }
        for entry in self.posted() {
            writeln!(
                out,
                "{} * \"entry {}\"",
                text(&entry["date"]),
                entry["entry_id"]
            )
            .expect("text");
            for line in entry["lines"].as_array().expect("lines") {
                let amount = text(&line["amount"]);
                writeln!(out, "  {}  {amount} USD", account(&line["account"])).expect("text");
            }
        }
        for id in accounts {
            let minor = self.balances.get(&id.as_i64().expect("an id"));
            let amount = money(minor.copied().unwrap_or(0));
            writeln!(out, "9998-12-31 balance {} {amount} ~ 0 USD", account(id)).expect("text");
        }
    }
}

/// Balances as `AMOUNT USD  ACCOUNT` lines, whichever of the two programs wrote them.
fn balances(output: &str) -> BTreeMap<(String, i64), i128> {
    let mut all = BTreeMap::new();
    for line in output.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (Some(amount), Some(account)) = (words.first(), words.last()) else {
            continue;
        };
        if let Some((name, id)) = account.split_once(":account:") {
            let digits: String = amount.chars().filter(|c| !",.".contains(*c)).collect();
            let minor = digits.parse().expect("an amount of two decimals");
            all.insert((name.to_owned(), id.parse().expect("an id")), minor);
        }
    }
    all
}

/// What a program says, or nothing where it is not installed.
fn said(command: &mut Command) -> Option<(bool, String, String)> {
    let Ok(output) = command.output() else {
        let name = command.get_program().to_string_lossy();
        let said = writeln!(std::io::stderr(), "{name} is not installed: no comparison");
        said.expect("standard error takes a line");
        return None;
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some((
        output.status.success(),
        text(&output.stdout),
        text(&output.stderr),
    ))
}

/// Where a program sees another balance than the books do.
pub fn disagreement(folder: &Path, books: &[Book]) -> Option<String> {
    let (plain, beans) = (folder.join("plain.journal"), folder.join("books.beancount"));
    let (mut ledger, mut beancount) = (String::new(), String::new());
    for book in books {
        book.plain(&mut ledger);
        book.beans(&mut beancount);
    }
    fs::write(&plain, ledger).expect("a file");
    fs::write(&beans, beancount).expect("a file");
    let named = |book: &Book| -> Vec<((String, i64), i128)> {
        let all = book.balances.iter();
        all.map(|(id, minor)| ((book.name.clone(), *id), *minor))
            .collect()
    };
    let want: BTreeMap<(String, i64), i128> = books.iter().flat_map(named).collect();
    for program in ["ledger", "hledger"] {
        let mut command = Command::new(program);
        command
            .arg("-f")
            .arg(&plain)
            .args(["balance", "--flat", "account"]);
        let Some((fine, out, err)) = said(&mut command) else {
            continue;
        };
        let got = balances(&out);
        if !fine || got != want {
            return Some(format!("{program}: {err}\n got {got:?}\nwant {want:?}"));
        }
    }
    let checked = said(Command::new("bean-check").arg(&beans));
    checked
        .filter(|(fine, ..)| !fine)
        .map(|(_, out, err)| format!("bean-check: {out}{err}"))
}

/// Each program that is installed sees a balance that is a cent off.
#[test]
fn a_cent_off_is_seen() {
    let line =
        |account: i64, amount: &str| serde_json::json!({"account": account, "amount": amount});
    let entry = serde_json::json!({"type": "entry.posted", "data": {
        "entry_id": 1, "date": "2026-01-05", "lines": [line(1, "10.00"), line(2, "-10.00")],
    }});
    let book = |minor| Book {
        name: "B".to_owned(),
        journal: vec![entry.clone()],
        balances: BTreeMap::from([(1, minor), (2, -1_000)]),
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(disagreement(folder.path(), &[book(1_000)]), None);
    let any = ["ledger", "hledger", "bean-check"]
        .iter()
        .any(|program| said(Command::new(program).arg("--version")).is_some());
    let seen = disagreement(folder.path(), &[book(1_001)]);
    assert_eq!(seen.is_some(), any, "{seen:?}");
    let mut beans = String::new();
    book(1_001).beans(&mut beans);
    fs::write(folder.path().join("off.beancount"), beans).expect("a file");
    let checked = said(Command::new("bean-check").arg(folder.path().join("off.beancount")));
    assert!(checked.is_none_or(|(fine, ..)| !fine));
}
