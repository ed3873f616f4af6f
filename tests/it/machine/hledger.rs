//! The machine's books as another program sees them: its journal written in the plain-text form of ledger and hledger, and
//! every balance compared. Where neither program is installed it says so and compares nothing.

use std::{collections::BTreeMap, fmt::Write as _, fs, io::Write as _, process::Command};

use serde_json::Value;

use super::{Machine, model::minor};

/// The posted entries of a journal in plain text. Accounts are named by id, so that no code can be taken for anything else.
fn plain(journal: &[Value]) -> String {
    let mut text = String::new();
    let posted = journal.iter().filter(|line| line["type"] == "entry.posted");
    for line in posted {
        let data = &line["data"];
        let date = data["date"].as_str().expect("a date");
        writeln!(text, "{date} entry {}", data["entry_id"]).expect("it is text");
        for line in data["lines"].as_array().expect("lines") {
            let amount = line["amount"].as_str().expect("an amount");
            writeln!(text, "  account:{}  {amount} USD", line["account"]).expect("it is text");
        }
        text.push('\n');
    }
    text
}

/// Balances as `AMOUNT USD  ACCOUNT` lines, whichever of the two programs wrote them.
fn balances(output: &str) -> BTreeMap<i64, i128> {
    let mut all = BTreeMap::new();
    for line in output.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (Some(amount), Some(account)) = (words.first(), words.last()) else {
            continue;
        };
        if let Some(id) = account.strip_prefix("account:") {
            let amount = minor(&Value::from(amount.replace(',', "")));
            all.insert(id.parse().expect("an id"), amount);
        }
    }
    all
}

impl Machine {
    /// Every balance is what ledger and hledger make of the same postings.
    pub fn compare_with_ledger(&self) {
        let path = self.bench.beside("plain.journal");
        fs::write(&path, plain(&self.journal())).expect("a file");
        let ids = self.model.account_ids().into_iter();
        let want: BTreeMap<i64, i128> = ids
            .map(|id| (id, self.model.raw(id, "", "9")))
            .filter(|(_, raw)| *raw != 0)
            .collect();
        for program in ["ledger", "hledger"] {
            let mut command = Command::new(program);
            command
                .arg("-f")
                .arg(&path)
                .args(["balance", "--flat", "account"]);
            let Ok(output) = command.output() else {
                let said = writeln!(
                    std::io::stderr(),
                    "{program} is not installed: no comparison"
                );
                said.expect("standard error takes a line");
                continue;
            };
            let text = String::from_utf8_lossy(&output.stdout);
            let got = balances(&text);
            if !output.status.success() || got != want {
                let why = String::from_utf8_lossy(&output.stderr);
                self.fail(&format!("{program}: {why}\n got {got:?}\nwant {want:?}"));
            }
        }
    }
}
