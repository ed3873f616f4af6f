//! The machine's books as other programs see them.

use std::collections::BTreeMap;

use super::Machine;
use crate::engines::{Book, disagreement};

impl Machine {
    /// Every balance is what ledger, hledger and beancount make of the same postings.
    pub fn compare_with_ledger(&self) {
        let ids = self.model.account_ids().into_iter();
        let balances: BTreeMap<i64, i128> = ids
            .map(|id| (id, self.model.raw(id, "", "9")))
            .filter(|(_, raw)| *raw != 0)
            .collect();
        let book = Book {
            name: "M".to_owned(),
            journal: self.journal(),
            balances,
        };
        let beside = self.bench.beside("plain.journal");
        let folder = beside.parent().expect("a folder");
        if let Some(why) = disagreement(folder, &[book]) {
            self.fail(&why);
        }
    }
}
