//! What only the whole file can tell: the order of its dates, its decimal style, and whether its signs look turned.
//! It makes no rows.

use crate::domains::import::reading::{
    AmountSign, DateOrder, DecimalStyle, LayoutName, ReadOptions, Role,
    account::OneAccount,
    amount::{amount, is_blank},
    day::{self, Written},
    layout::{AmountColumns, Plan},
    pending::{Balances, Unsettled},
    records::{Record, Records},
    refused::{DATES_CONFLICT, DATES_UNCLEAR, DECIMAL_UNCLEAR, Refused, SIGN_UNCLEAR},
};
use crate::model::{LineFault, fold_for_search};

/// Words of a payment to a card, as issuers write them.
const PAYMENT_WORDS: [&str; 3] = ["payment", "autopay", "thank you"];

/// How the rows of this file are to be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Findings {
    /// How many records there are, those above the first row too.
    pub records_total: u64,
    pub date_order: DateOrder,
    pub decimal: DecimalStyle,
    pub sign: AmountSign,
    /// Where a row without a balance is pending.
    pub unsettled: Unsettled,
    /// What a person should know about these choices; without the file's text.
    pub warnings: Vec<String>,
}

/// Goes over the whole file once.
///
/// Refuses: dates that no one order fits; amounts of which none tells the decimal mark from the thousands'; a file of unknown sign in which payments are negative and most else positive.
pub(super) fn survey(
    text: &str,
    plan: &Plan,
    options: &ReadOptions<'_>,
) -> Result<Findings, Refused> {
    let mut tally = Tally::default();
    let mut records_total = plan.records_before as u64;
    for record in Records::new(text, plan.delimiter).skip(plan.records_before) {
        records_total += 1;
        tally.take(&record?, plan, options);
    }
    tally.account.verdict()?;
    let mut warnings = Vec::new();
    let mut told = Vec::new();
    let decimal = match options.decimal {
        Some(decimal) => decimal,
        None => tally.decimal(&mut told)?,
    };
    let date_order = match plan.date_order {
        Some(order) => order,
        None => tally.date_order(decimal, &mut warnings)?,
    };
    warnings.append(&mut told);
    let asks = !plan.sign_certain && matches!(plan.amount, AmountColumns::Signed(_));
    let signs = tally.signs[decimal as usize];
    if asks && options.card && signs.mostly_positive() {
        return Err(Refused::new(
            SIGN_UNCLEAR,
            "the account is a card and most amounts are positive, as where purchases are; whether a positive amount is money in cannot be told",
            "say `layout` (american_express, discover_card …), or `sign`: in_positive or in_negative",
        ));
    }
    if asks && signs.look_turned() {
        return Err(Refused::new(
            SIGN_UNCLEAR,
            "rows that read like payments are negative and most others positive, as in the files of cards that show purchases as positive amounts; whether a positive amount is money in cannot be told",
            "say `layout` (american_express, discover_card …), or `sign`: in_positive or in_negative",
        ));
    }
    if matches!(plan.amount, AmountColumns::Pair(..)) && plan.name == LayoutName::QuickBooks {
        warnings.push(match plan.sign {
            AmountSign::InPositive => {
                "the Credit column is read as money in and Debit as money out".to_owned()
            }
            AmountSign::InNegative => {
                "the Credit column is read as money out and Debit as money in".to_owned()
            }
        });
    }
    let unsettled = if plan.pending_without_balance {
        tally.balances.settle(date_order, &mut warnings)
    } else {
        Unsettled::Nowhere
    };
    Ok(Findings {
        records_total,
        date_order,
        decimal,
        sign: plan.sign,
        unsettled,
        warnings,
    })
}

/// What the rows have shown so far.
#[derive(Default)]
struct Tally {
    dates_unordered: bool,
    day_first: Option<LineFault>,
    month_first: Option<LineFault>,
    /// The first date with dots whose day and month could change places.
    dotted: Option<LineFault>,
    /// Amounts that a style cannot read, by style.
    unreadable: [u64; 2],
    /// Whether some amount can only have a comma before its decimals.
    comma_shown: bool,
    /// The first amount that may be thousands in one style and decimals in the other: `12.345`.
    either: Option<LineFault>,
    /// Signs as each style reads them.
    signs: [Signs; 2],
    /// Which rows have a running balance.
    balances: Balances,
    /// Of which account they are.
    account: OneAccount,
}

#[derive(Clone, Copy, Default)]
struct Signs {
    payments_negative: u64,
    payments_positive: u64,
    others_negative: u64,
    others_positive: u64,
}

impl Signs {
    /// On a card purchases outnumber payments, so a file of mostly positive rows shows purchases as positive, or is unusual.
    fn mostly_positive(self) -> bool {
        self.payments_positive + self.others_positive
            > self.payments_negative + self.others_negative
    }

    fn look_turned(self) -> bool {
        self.payments_negative > self.payments_positive
            && self.others_positive > self.others_negative
    }
}

impl Tally {
    fn take(&mut self, record: &Record<'_>, plan: &Plan, options: &ReadOptions<'_>) {
        let cell = |i: usize| record.cells.get(i).unwrap_or_default();
        // A row without a date is a footer or a fault; neither tells how the others are written.
        let Some(written) = day::written(cell(plan.date)) else {
            return;
        };
        if let Written::Ordered { parts, dotted, .. } = written {
            self.dates_unordered = true;
            let fault =
                |message: &str| LineFault::new(record.line, "date", message, cell(plan.date));
            if parts[0] > 12 && self.day_first.is_none() {
                self.day_first = Some(fault("this can only be day first"));
            }
            if parts[1] > 12 && self.month_first.is_none() {
                self.month_first = Some(fault("this can only be month first"));
            }
            if dotted && parts[0] != parts[1] && self.dotted.is_none() {
                self.dotted = Some(fault("this may be day first or month first"));
            }
        }
        let currency = plan.cell(record, Role::Currency);
        if currency.is_some_and(|code| !code.eq_ignore_ascii_case(options.currency.code())) {
            return;
        }
        if let Some(column) = plan.account {
            self.account.take(record.line, cell(column));
        }
        if plan.amount.amounts().any(|i| !is_blank(cell(i).trim()))
            && let Some(balance) = plan.cell(record, Role::Balance)
        {
            let date = cell(plan.date);
            self.balances.take(record.line, date, !is_blank(balance));
        }
        let balance = plan.columns.at(Role::Balance);
        for column in plan.amount.amounts().chain(balance) {
            self.decimals(cell(column), record.line, options);
        }
        for style in [DecimalStyle::Point, DecimalStyle::Comma] {
            let read = |i: usize| amount(cell(i), style, options.currency);
            if !plan.sign_certain
                && let Some(Ok(Some(amount))) = plan.amount.amounts().next().map(read)
            {
                let text = plan.description.first().map_or("", |i| cell(*i));
                self.sign(style, amount.minor, text);
            }
        }
    }

    /// What one amount tells of the decimal mark.
    fn decimals(&mut self, cell: &str, line: u64, options: &ReadOptions<'_>) {
        let minor = |style| amount(cell, style, options.currency).map(|a| a.map(|a| a.minor));
        let (point, comma) = (minor(DecimalStyle::Point), minor(DecimalStyle::Comma));
        self.unreadable[DecimalStyle::Point as usize] += u64::from(point.is_err());
        self.unreadable[DecimalStyle::Comma as usize] += u64::from(comma.is_err());
        let either = match (&point, &comma) {
            (Ok(point), Ok(comma)) => point != comma,
            // One point before three digits: thousands in comma style, but point style may have had three decimals in mind.
            (Err(_), Ok(_)) => !cell.contains(',') && cell.matches('.').count() == 1,
            _ => false,
        };
        self.comma_shown |= point.is_err() && comma.is_ok() && !either;
        if either && self.either.is_none() {
            let message = "this may be thousands or decimals";
            self.either = Some(LineFault::new(line, "amount", message, cell));
        }
    }

    fn sign(&mut self, style: DecimalStyle, minor: i64, description: &str) {
        let text = fold_for_search(description);
        let signs = &mut self.signs[style as usize];
        let payment = PAYMENT_WORDS.iter().any(|word| text.contains(word));
        let count = match (payment, minor.signum()) {
            (true, -1) => &mut signs.payments_negative,
            (true, 1) => &mut signs.payments_positive,
            (false, -1) => &mut signs.others_negative,
            (false, 1) => &mut signs.others_positive,
            _ => return,
        };
        *count += 1;
    }

    /// The order of the dates. Where no date of the file tells it, the decimal mark does: who writes a comma before the decimals
    /// writes the day first, and so do most who write dots, though not all. So dots without such commas are asked about.
    fn date_order(
        &self,
        decimal: DecimalStyle,
        warnings: &mut Vec<String>,
    ) -> Result<DateOrder, Refused> {
        match (&self.day_first, &self.month_first) {
            (Some(day), Some(month)) => {
                let mut faults = vec![day.clone(), month.clone()];
                faults.sort_by_key(|fault| fault.line);
                Err(Refused::new(
                    DATES_CONFLICT,
                    format!(
                        "the date of line {} can only be day first, and that of line {} only month first",
                        day.line, month.line
                    ),
                    "a file has one date format; correct it, or export it again",
                )
                .at(faults, 2))
            }
            (Some(_), None) => Ok(DateOrder::Dmy),
            (None, Some(_)) => Ok(DateOrder::Mdy),
            (None, None) if !self.dates_unordered => Ok(DateOrder::Mdy),
            (None, None) if decimal == DecimalStyle::Comma => {
                warnings.push(
                    "every date of the file could be day first or month first; day first is taken, as amounts have a comma before the decimals (say `date_order` if it is not)"
                        .to_owned(),
                );
                Ok(DateOrder::Dmy)
            }
            (None, None) => {
                if let Some(dotted) = &self.dotted {
                    return Err(Refused::new(
                        DATES_UNCLEAR,
                        format!(
                            "the date of line {} may be day first or month first, and no date of the file tells which",
                            dotted.line
                        ),
                        "say `date_order`: dmy or mdy",
                    )
                    .at(vec![dotted.clone()], 1));
                }
                warnings.push(
                    "every date of the file could be day first or month first; month first is taken (say `date_order` if it is not)"
                        .to_owned(),
                );
                Ok(DateOrder::Mdy)
            }
        }
    }

    fn decimal(&self, warnings: &mut Vec<String>) -> Result<DecimalStyle, Refused> {
        let [point, comma] = self.unreadable;
        // An amount that only one style can read settles the file; with neither, thousands and decimals look alike.
        if let (0, false, Some(either)) = (comma, self.comma_shown, &self.either) {
            return Err(Refused::new(
                DECIMAL_UNCLEAR,
                format!(
                    "the amount of line {} may be thousands or decimals, and no amount of the file tells which",
                    either.line
                ),
                "say `decimal`: point or comma",
            )
            .at(vec![either.clone()], 1));
        }
        if point == 0 || comma > 0 {
            return Ok(DecimalStyle::Point);
        }
        warnings.push(
            "amounts are read with a comma before the decimals, as every amount of the file can be and some only so"
                .to_owned(),
        );
        Ok(DecimalStyle::Comma)
    }
}
