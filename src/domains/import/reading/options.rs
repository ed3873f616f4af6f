//! What a caller may say about a bank file before it is read: layout, date order, decimal style and sign. No parsing.

use crate::{domains::import::reading::ColumnMap, model::Currency, wire_enum};

wire_enum! {
    /// A known shape of a bank's export. Layouts are told apart by their header's names, never by position or file name.
    pub enum LayoutName {
        /// QuickBooks Online upload: Date, Description, Amount; or Date, Description, Credit, Debit
        QuickBooks = "quickbooks",
        /// Chase checking or savings
        ChaseDeposit = "chase_deposit",
        /// Chase credit card
        ChaseCard = "chase_card",
        /// Bank of America checking or savings
        BankOfAmericaDeposit = "bank_of_america_deposit",
        /// Bank of America credit card
        BankOfAmericaCard = "bank_of_america_card",
        /// Wells Fargo, whose files have no header
        WellsFargo = "wells_fargo",
        /// Capital One credit card
        CapitalOneCard = "capital_one_card",
        /// Capital One 360 checking or savings
        CapitalOne360 = "capital_one_360",
        /// American Express, short, medium and long form
        AmericanExpress = "american_express",
        /// American Express, long form with British names and dates
        AmericanExpressUk = "american_express_uk",
        /// Citi credit card
        CitiCard = "citi_card",
        /// U.S. Bank
        UsBank = "us_bank",
        /// Discover credit card
        DiscoverCard = "discover_card",
        /// Apple Card
        AppleCard = "apple_card",
        /// Mercury, one account
        Mercury = "mercury",
        /// Brex business account
        BrexCash = "brex_cash",
        /// PayPal activity, gross, fee and net
        PayPal = "paypal",
        /// Stripe payouts to a bank account
        StripePayouts = "stripe_payouts",
        /// Wise balance statement
        WiseStatement = "wise_statement",
        /// Wise transaction history
        WiseHistory = "wise_history",
        /// Venmo account statement
        Venmo = "venmo",
        /// N26
        N26 = "n26",
        /// Revolut
        Revolut = "revolut",
        /// Monzo
        Monzo = "monzo",
        /// Any other file, read by a column map
        Mapped = "mapped",
    }
}

impl LayoutName {
    /// Whether files of this layout are a card's; `None` where both a card and a bank account may have it.
    pub fn is_card(self) -> Option<bool> {
        match self {
            LayoutName::ChaseCard
            | LayoutName::BankOfAmericaCard
            | LayoutName::CapitalOneCard
            | LayoutName::AmericanExpress
            | LayoutName::AmericanExpressUk
            | LayoutName::CitiCard
            | LayoutName::DiscoverCard
            | LayoutName::AppleCard => Some(true),
            LayoutName::ChaseDeposit
            | LayoutName::BankOfAmericaDeposit
            | LayoutName::CapitalOne360
            | LayoutName::BrexCash
            | LayoutName::PayPal
            | LayoutName::StripePayouts
            | LayoutName::WiseStatement
            | LayoutName::WiseHistory
            | LayoutName::Venmo
            | LayoutName::N26
            | LayoutName::Revolut
            | LayoutName::Monzo => Some(false),
            LayoutName::QuickBooks
            | LayoutName::WellsFargo
            | LayoutName::UsBank
            | LayoutName::Mercury
            | LayoutName::Mapped => None,
        }
    }
}

wire_enum! {
    /// In which order a date's parts stand where the year is not first with four digits.
    pub enum DateOrder {
        /// Month, day, year: 12/31/2026
        Mdy = "mdy",
        /// Day, month, year: 31/12/2026
        Dmy = "dmy",
        /// Year, month, day: 26/12/31
        Ymd = "ymd",
    }
}

wire_enum! {
    /// Which mark stands before the decimals.
    pub enum DecimalStyle {
        /// A point before the decimals, commas between thousands: 1,234.56
        Point = "point",
        /// A comma before the decimals, points between thousands: 1.234,56
        Comma = "comma",
    }
}

wire_enum! {
    /// What a positive amount, or an amount in the Credit column, means to the account's owner.
    pub enum AmountSign {
        /// Positive amounts and the Credit column are money in
        InPositive = "in_positive",
        /// Positive amounts (purchases of a card) and the Credit column are money out
        InNegative = "in_negative",
    }
}

/// How to read a bank file; every `None` is found out from the file, or asked for by a refusal.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions<'a> {
    /// The layout, when the header alone shall not decide; `mapped` goes with a [`ColumnMap`].
    pub layout: Option<LayoutName>,
    /// The columns of a file whose layout is not known.
    pub mapper: Option<&'a ColumnMap>,
    /// The order of dates; the layout's own when it has one, else inferred from the whole file.
    pub date_order: Option<DateOrder>,
    /// The decimal style; inferred from the whole file.
    pub decimal: Option<DecimalStyle>,
    /// The meaning of a positive amount; the layout's own.
    pub sign: Option<AmountSign>,
    /// The currency of the bank account.
    pub currency: Currency,
    /// Whether the account is a card, on which most rows are money out.
    pub card: bool,
}
