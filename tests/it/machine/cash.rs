//! I4: whatever happened, the three sections of the cash flow statement sum to what cash moved.

use serde_json::{Value, json};

use super::{
    Machine,
    judge::Verdict,
    model::{minor, money},
};

impl Machine {
    /// Gives accounts roles by chance: cash, financing, investing. What only groups others plays none.
    fn cast(&mut self, roles: &mut [Vec<Value>; 3], cash: &mut Vec<i64>) {
        for id in self.model.account_ids() {
            let account = self.model.account(id).expect("an account");
            if self.model.groups(id) {
                continue;
            }
            let role = match account.kind.as_str() {
                "asset" if roles[0].is_empty() || self.chance.percent(30) => 0,
                "asset" | "liability" if self.chance.percent(30) => 2,
                "liability" if self.chance.percent(50) => 1,
                _ => continue,
            };
            roles[role].push(json!(id));
            if role == 0 {
                cash.push(id);
            }
        }
    }

    /// Any accounts may play any role for which their type will do; the sections sum to the change of the cash accounts, and
    /// each section to its own lines.
    pub fn check_cash_flow(&mut self) {
        let mut days = [self.chance.day(), self.chance.day()];
        days.sort();
        let [start, end] = days;
        let (mut roles, mut cash) = ([Vec::new(), Vec::new(), Vec::new()], Vec::new());
        self.cast(&mut roles, &mut cash);
        let known = |id: &i64| self.model.resolve(&json!(id)) == Ok(*id);
        if cash.is_empty()
            || !roles
                .iter()
                .flatten()
                .all(|id| known(&id.as_i64().expect("an id")))
        {
            return;
        }
        let [cash_accounts, financing, investing] = roles;
        let args = json!({
            "start": start, "end": end, "cash_accounts": cash_accounts, "financing_accounts": financing,
            "investing_accounts": investing,
        });
        let flows = self.held("books.cash_flow", &args, Verdict::Quiet);
        let flows = flows.expect("a statement");
        let moved = |from: &str, to: &str| -> i128 {
            cash.iter().map(|id| self.model.raw(*id, from, to)).sum()
        };
        let (change, ending) = (moved(&start, &end), moved("", &end));
        let earned =
            self.model.shown("revenue", &start, &end) - self.model.shown("expense", &start, &end);
        let view = json!({
            "net_income": money(earned), "net_change": money(change), "beginning_cash": money(ending - change),
            "ending_cash": money(ending),
        });
        self.shows(&flows, &view);
        let lines = |key: &str| -> i128 {
            let lines = flows[key].as_array().expect("lines");
            lines
                .iter()
                .map(|line: &Value| minor(&line["amount"]))
                .sum()
        };
        let sections = [
            ("operating", earned + lines("adjustments")),
            ("investing", lines("investing_lines")),
            ("financing", lines("financing_lines")),
        ];
        for (key, sum) in sections {
            if minor(&flows[key]) != sum {
                self.fail(&format!("I4: the lines of {key} come to {sum}: {flows}"));
            }
        }
        let sum: i128 = sections.iter().map(|(_, sum)| sum).sum();
        if sum != change {
            self.fail(&format!(
                "I4: the sections come to {sum}, cash moved {change}"
            ));
        }
    }
}
