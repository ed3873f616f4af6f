//! One entry in the cash flow statement: what disposals move into investing, and what took place without cash.

use std::collections::BTreeMap;

use super::{Mark, Places, Section, Way};
use crate::model::{Line, allocate};

/// An entry that the statement looks at by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// Whether it undoes another entry, so that its flows lessen that one's: a reversal, but not what reverses one.
    pub undoes: bool,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// What entries do to the statement, cash in positive.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Effect {
    /// What investing accounts brought and took.
    pub investing: BTreeMap<(i64, Way), i128>,
    /// What financing accounts brought and took.
    pub financing: BTreeMap<(i64, Way), i128>,
    /// What leaves the changes of operating accounts, by account.
    pub left_operating: BTreeMap<i64, i128>,
    /// The gains less losses that stand in investing.
    pub gains: i128,
    /// What retained earnings give to the operating section.
    pub retained: i128,
    /// What took place without cash, by debited and credited account.
    pub noncash: BTreeMap<(i64, i64), i128>,
    /// Interest booked against cash, positive when paid.
    pub interest_paid: i128,
    /// Income taxes booked against cash.
    pub income_taxes_paid: i128,
    /// What leads from net income to operating cash because an earning moved no cash, by the account that it moved instead.
    pub without_cash: BTreeMap<i64, i128>,
    /// What accounts took of what property was sold for.
    pub sold_on: BTreeMap<i64, i128>,
    /// What accounts gave of what property was bought for.
    pub bought_on: BTreeMap<i64, i128>,
}

impl Effect {
    /// What both do.
    pub fn add(&mut self, other: Effect) {
        fn sums<K: Ord>(to: &mut BTreeMap<K, i128>, from: BTreeMap<K, i128>) {
            for (key, minor) in from {
                *to.entry(key).or_default() += minor;
            }
        }
        sums(&mut self.investing, other.investing);
        sums(&mut self.financing, other.financing);
        sums(&mut self.left_operating, other.left_operating);
        sums(&mut self.noncash, other.noncash);
        sums(&mut self.without_cash, other.without_cash);
        sums(&mut self.sold_on, other.sold_on);
        sums(&mut self.bought_on, other.bought_on);
        self.gains += other.gains;
        self.retained += other.retained;
        self.interest_paid += other.interest_paid;
        self.income_taxes_paid += other.income_taxes_paid;
    }

    /// The same with every amount on the other side.
    fn swapped(mut self) -> Effect {
        fn swap<K: Ord>(sums: &mut BTreeMap<K, i128>) {
            sums.values_mut().for_each(|minor| *minor = -*minor);
        }
        swap(&mut self.investing);
        swap(&mut self.financing);
        swap(&mut self.left_operating);
        swap(&mut self.noncash);
        swap(&mut self.without_cash);
        swap(&mut self.sold_on);
        swap(&mut self.bought_on);
        self.gains = -self.gains;
        self.retained = -self.retained;
        self.interest_paid = -self.interest_paid;
        self.income_taxes_paid = -self.income_taxes_paid;
        self
    }
}

/// What accounts bring (positive) and take, in minor units.
type Amounts = BTreeMap<i64, i128>;

/// An entry taken apart by section.
#[derive(Default)]
struct Apart {
    cash_in: i128,
    cash_out: i128,
    earnings: Amounts,
    current: Amounts,
    payable: Amounts,
    investing: Amounts,
    financing: Amounts,
    retained: Amounts,
}

impl Case {
    /// What the entry does. One that undoes another is looked at as that other, and counts against it.
    pub fn effect(&self, places: &Places<'_>) -> Effect {
        let sign = if self.undoes { -1 } else { 1 };
        let mut apart = Apart::default();
        for line in &self.lines {
            apart.take(
                line.account_id,
                -sign * i128::from(line.amount_minor),
                places,
            );
        }
        let effect = apart.effect(places);
        if self.undoes {
            effect.swapped()
        } else {
            effect
        }
    }
}

impl Apart {
    /// Takes a line that credits `minor` more than it debits.
    fn take(&mut self, account: i64, minor: i128, places: &Places<'_>) {
        let amounts = match places.of(account).section {
            // A debit of cash is cash in.
            Section::Cash if minor < 0 => return self.cash_in -= minor,
            Section::Cash => return self.cash_out += minor,
            Section::Earnings => &mut self.earnings,
            Section::Current => &mut self.current,
            Section::Payable => &mut self.payable,
            Section::Investing => &mut self.investing,
            Section::Financing => &mut self.financing,
            Section::Retained => &mut self.retained,
        };
        *amounts.entry(account).or_default() += minor;
    }

    fn effect(mut self, places: &Places<'_>) -> Effect {
        let mut effect = Effect::default();
        self.disclose(places, &mut effect);
        self.place_retained(&mut effect);
        if self.investing.values().any(|minor| *minor != 0) {
            self.gather_disposal(places, &mut effect);
        }
        self.leave_out(places, &mut effect);
        for (to, flows) in [
            (&mut effect.investing, self.investing),
            (&mut effect.financing, self.financing),
        ] {
            for (account, minor) in flows.into_iter().filter(|(_, minor)| *minor != 0) {
                let way = if minor > 0 { Way::In } else { Way::Out };
                to.insert((account, way), minor);
            }
        }
        effect
    }

    /// Interest and income taxes that cash paid (ASC 230-10-50-2).
    fn disclose(&self, places: &Places<'_>, effect: &mut Effect) {
        for (account, minor) in &self.earnings {
            let paid = (-*minor).min(self.cash_out).max(0);
            match places.of(*account).mark {
                Mark::Interest => effect.interest_paid += paid,
                Mark::IncomeTax => effect.income_taxes_paid += paid,
                Mark::None | Mark::Accumulated | Mark::Gain => {}
            }
        }
    }

    /// Retained earnings are financing beside cash, equity or a financing account, else an adjustment of operations.
    fn place_retained(&mut self, effect: &mut Effect) {
        let retained = std::mem::take(&mut self.retained);
        let cash = self.cash_in != 0 || self.cash_out != 0;
        if cash || !self.financing.is_empty() || !self.investing.is_empty() {
            self.financing.extend(retained);
        } else {
            effect.retained += retained.values().sum::<i128>();
        }
    }

    /// A disposal's gain and the accumulated depreciation that leaves belong to what the property brought; so does what is
    /// still to be received for it. All of it stands on the account that moved most.
    fn gather_disposal(&mut self, places: &Places<'_>, effect: &mut Effect) {
        let largest = |account: &i64| {
            (
                self.investing[account].abs(),
                std::cmp::Reverse(places.of(*account).code),
            )
        };
        let Some(main) = self.investing.keys().copied().max_by_key(largest) else {
            return;
        };
        let mut gathered = 0;
        for (account, minor) in &mut self.earnings {
            if places.of(*account).mark == Mark::Gain {
                gathered += *minor;
                effect.gains += std::mem::take(minor);
            }
        }
        for (account, minor) in &mut self.current {
            if places.of(*account).mark == Mark::Accumulated {
                gathered += *minor;
                *effect.left_operating.entry(*account).or_default() += std::mem::take(minor);
            }
        }
        // What cash has not paid yet is still to be received.
        let mut due = (self.investing.values().sum::<i128>() + gathered - self.cash_in).max(0);
        for account in places.by_code(self.current.keys().copied()) {
            let minor = self.current.entry(account).or_default();
            let taken = (-*minor).clamp(0, due);
            if taken > 0 {
                *minor += taken;
                gathered -= taken;
                due -= taken;
                *effect.left_operating.entry(account).or_default() -= taken;
                effect.sold_on.insert(account, taken);
            }
        }
        *self.investing.entry(main).or_default() += gathered;
    }

    /// What took place without cash to match is left out of both sides (ASC 230-10-50-3 and 50-4): it is no more than what
    /// the entry takes beyond the cash that it pays. What was earned or spent so stands in net income all the same, and an
    /// adjustment takes it out again (45-28).
    fn leave_out(&mut self, places: &Places<'_>, effect: &mut Effect) {
        let takes = |amounts: &Amounts| -> i128 {
            amounts
                .values()
                .filter(|minor| **minor < 0)
                .map(|minor| -minor)
                .sum()
        };
        let taken = takes(&self.earnings)
            + takes(&self.current)
            + takes(&self.payable)
            + takes(&self.investing)
            + takes(&self.financing);
        let mut unmatched = (taken - self.cash_out).max(0);
        let payable_before = self.payable.clone();
        let bought = self.investing.values().sum::<i128>() < 0;
        cancel(
            places,
            &mut unmatched,
            (&mut self.investing, &mut self.financing),
            &mut effect.noncash,
        );
        let owed = self.payable.clone();
        cancel(
            places,
            &mut unmatched,
            (&mut self.investing, &mut self.payable),
            &mut effect.noncash,
        );
        if bought {
            for (account, before) in owed {
                let given = before - self.payable.get(&account).copied().unwrap_or(0);
                if given != 0 {
                    effect.bought_on.insert(account, given);
                }
            }
        }
        cancel(
            places,
            &mut unmatched,
            (&mut self.financing, &mut self.payable),
            &mut effect.noncash,
        );
        for (account, before) in payable_before {
            let left = before - self.payable.get(&account).copied().unwrap_or(0);
            if left != 0 {
                *effect.left_operating.entry(account).or_default() += left;
            }
        }
        for flows in [&mut self.investing, &mut self.financing] {
            let (before, earned) = (flows.clone(), &mut self.earnings.clone());
            cancel(places, &mut unmatched, (flows, earned), &mut effect.noncash);
            for (account, minor) in before {
                let left = minor - flows.get(&account).copied().unwrap_or(0);
                if left != 0 {
                    *effect.without_cash.entry(account).or_default() += left;
                }
            }
        }
        for flows in [&mut self.investing, &mut self.financing] {
            cancel_within(places, &mut unmatched, flows, &mut effect.noncash);
        }
    }
}

/// Cancels what two sides of opposite sign have in common, up to `unmatched`.
fn cancel(
    places: &Places<'_>,
    unmatched: &mut i128,
    (one, other): (&mut Amounts, &mut Amounts),
    noncash: &mut BTreeMap<(i64, i64), i128>,
) {
    let sum = |amounts: &Amounts| amounts.values().sum::<i128>();
    let (a, b) = (sum(one), sum(other));
    if a.signum() * b.signum() >= 0 {
        return;
    }
    let both = a.abs().min(b.abs()).min(*unmatched);
    if both == 0 {
        return;
    }
    let first = lessen(places, one, both, a.signum());
    let second = lessen(places, other, both, b.signum());
    let pair = if a < 0 {
        (first, second)
    } else {
        (second, first)
    };
    *noncash.entry(pair).or_default() += both;
    *unmatched -= both;
}

/// Cancels what the accounts of one section bring against what others of it take, up to `unmatched`.
fn cancel_within(
    places: &Places<'_>,
    unmatched: &mut i128,
    flows: &mut Amounts,
    noncash: &mut BTreeMap<(i64, i64), i128>,
) {
    let of_sign = |sign: i128| -> i128 {
        let same = flows.values().filter(|minor| minor.signum() == sign);
        same.map(|minor| minor.abs()).sum()
    };
    let both = of_sign(1).min(of_sign(-1)).min(*unmatched);
    if both == 0 {
        return;
    }
    let debit = lessen(places, flows, both, -1);
    let credit = lessen(places, flows, both, 1);
    *noncash.entry((debit, credit)).or_default() += both;
    *unmatched -= both;
}

/// Takes `minor` from the amounts of one sign, in proportion, and gives the account that loses most. The amounts come to at
/// least as much.
fn lessen(places: &Places<'_>, amounts: &mut Amounts, minor: i128, sign: i128) -> i64 {
    let accounts = places.by_code(
        amounts
            .iter()
            .filter(|(_, minor)| minor.signum() == sign)
            .map(|(account, _)| *account),
    );
    let weight = |account: &i64| u64::try_from(amounts[account].unsigned_abs());
    let weights = accounts.iter().map(weight).collect::<Result<Vec<_>, _>>();
    let parts = weights
        .ok()
        .zip(i64::try_from(minor).ok())
        .and_then(|(weights, minor)| allocate(minor, &weights))
        .expect("an entry's amounts fit 64 bits, and those of one sign come to more than nothing");
    let mut most = (0, 0);
    for (account, part) in accounts.into_iter().zip(parts) {
        if part > most.1 {
            most = (account, part);
        }
        *amounts.entry(account).or_default() -= sign * i128::from(part);
    }
    most.0
}
