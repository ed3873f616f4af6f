//! The layouts of banks and cards, as data: a header's names and their meaning. Nothing is computed here.
//!
//! Source: the project's survey of public importers and notes about real files (no large US bank publishes its header).
//! Cards give two dates; the books take the transaction's, because that is when the expense arose.

use crate::domains::import::reading::{
    AmountSign, DateOrder, LayoutName, SkipReason,
    layout::{AmountRule, DirectionWords, KindWords, Layout, PLAIN, Shape, StatusRule},
};

const DEBIT_CREDIT: AmountRule = AmountRule::Pair {
    debit: "debit",
    credit: "credit",
};

/// Every layout, the more common first; forms of one bank's file follow one another.
pub(in crate::domains::import::reading) const LAYOUTS: &[Layout] = &[
    // QuickBooks Online's upload format; whose program wrote the file is not known, so its sign is questioned.
    Layout {
        name: LayoutName::QuickBooks,
        required: &["date", "description", "amount"],
        optional: &["balance"],
        sign_certain: false,
        date_order: None,
        balance: Some("balance"),
        ..PLAIN
    },
    Layout {
        name: LayoutName::QuickBooks,
        required: &["date", "description", "credit", "debit"],
        optional: &["balance"],
        amount: DEBIT_CREDIT,
        sign_certain: false,
        date_order: None,
        balance: Some("balance"),
        ..PLAIN
    },
    // Rows carry one more comma than the header; pending rows, the newest, have no balance.
    Layout {
        name: LayoutName::ChaseDeposit,
        required: &[
            "details",
            "posting date",
            "description",
            "amount",
            "type",
            "balance",
        ],
        optional: &["check or slip #"],
        date: &["posting date"],
        check_number: Some("check or slip #"),
        balance: Some("balance"),
        pending_without_balance: true,
        words: Some(DirectionWords {
            column: "details",
            money_in: &["credit", "dslip"],
            money_out: &["debit", "check"],
        }),
        ..PLAIN
    },
    // Older files have no Memo; Ink business cards prefix Card.
    Layout {
        name: LayoutName::ChaseCard,
        required: &[
            "transaction date",
            "post date",
            "description",
            "category",
            "type",
            "amount",
        ],
        optional: &["memo", "card"],
        date: &["transaction date"],
        // A fee may be given back, so the word tells no direction.
        words: Some(DirectionWords {
            column: "type",
            money_in: &["payment", "return"],
            money_out: &["sale"],
        }),
        ..PLAIN
    },
    // A summary of five rows stands above the header.
    Layout {
        name: LayoutName::BankOfAmericaDeposit,
        required: &["date", "description", "amount", "running bal."],
        balance: Some("running bal."),
        totals_above: true,
        ..PLAIN
    },
    Layout {
        name: LayoutName::BankOfAmericaCard,
        required: &[
            "posted date",
            "reference number",
            "payee",
            "address",
            "amount",
        ],
        date: &["posted date"],
        description: &["payee"],
        bank_id: Some("reference number"),
        ..PLAIN
    },
    Layout {
        name: LayoutName::WellsFargo,
        required: &["date", "amount", "*", "check", "description"],
        headerless: Some(Shape {
            columns: 5,
            date: 0,
            amount: 1,
            mark: (2, "*"),
        }),
        check_number: Some("check"),
        ..PLAIN
    },
    Layout {
        name: LayoutName::CapitalOneCard,
        required: &[
            "transaction date",
            "posted date",
            "card no.",
            "description",
            "category",
            "debit",
            "credit",
        ],
        date: &["transaction date"],
        amount: DEBIT_CREDIT,
        ..PLAIN
    },
    Layout {
        name: LayoutName::CapitalOne360,
        required: &[
            "account number",
            "transaction description",
            "transaction date",
            "transaction type",
            "transaction amount",
            "balance",
        ],
        date: &["transaction date"],
        description: &["transaction description"],
        account: Some("account number"),
        amount: AmountRule::Typed {
            amount: "transaction amount",
            kind: "transaction type",
            words: KindWords {
                positive: &["credit"],
                negative: &["debit"],
            },
        },
        balance: Some("balance"),
        ..PLAIN
    },
    // The short form has QuickBooks' header with the contrary sign: it must be named.
    Layout {
        name: LayoutName::AmericanExpress,
        required: &["date", "description", "amount"],
        recognised: false,
        sign: AmountSign::InNegative,
        date_order: None,
        ..PLAIN
    },
    Layout {
        name: LayoutName::AmericanExpress,
        required: &["date", "description", "card member", "account #", "amount"],
        sign: AmountSign::InNegative,
        date_order: None,
        ..PLAIN
    },
    Layout {
        name: LayoutName::AmericanExpress,
        required: &[
            "date",
            "description",
            "amount",
            "extended details",
            "appears on your statement as",
            "address",
            "city/state",
            "zip code",
            "country",
            "reference",
            "category",
        ],
        optional: &["card member", "account #"],
        sign: AmountSign::InNegative,
        bank_id: Some("reference"),
        ..PLAIN
    },
    Layout {
        name: LayoutName::AmericanExpressUk,
        required: &[
            "date",
            "description",
            "amount",
            "extended details",
            "appears on your statement as",
            "address",
            "town/city",
            "postcode",
            "country",
            "reference",
            "category",
        ],
        optional: &["card member", "account #"],
        sign: AmountSign::InNegative,
        date_order: Some(DateOrder::Dmy),
        bank_id: Some("reference"),
        ..PLAIN
    },
    // Credits are often written negative; the column decides.
    Layout {
        name: LayoutName::CitiCard,
        required: &["status", "date", "description", "debit", "credit"],
        optional: &["member name"],
        amount: DEBIT_CREDIT,
        statuses: &[StatusRule {
            column: "status",
            settled: &["cleared"],
            skipped: &[("pending", SkipReason::Pending)],
        }],
        ..PLAIN
    },
    Layout {
        name: LayoutName::UsBank,
        required: &["date", "transaction", "name", "memo", "amount"],
        description: &["name", "memo"],
        words: Some(DirectionWords {
            column: "transaction",
            money_in: &["credit"],
            money_out: &["debit"],
        }),
        ..PLAIN
    },
    Layout {
        name: LayoutName::DiscoverCard,
        required: &[
            "trans. date",
            "post date",
            "description",
            "amount",
            "category",
        ],
        date: &["trans. date"],
        sign: AmountSign::InNegative,
        ..PLAIN
    },
    Layout {
        name: LayoutName::AppleCard,
        required: &[
            "transaction date",
            "clearing date",
            "description",
            "merchant",
            "category",
            "type",
            "amount (usd)",
        ],
        optional: &["purchased by"],
        date: &["transaction date"],
        amount: AmountRule::Signed("amount (usd)"),
        words: Some(DirectionWords {
            column: "type",
            money_in: &["payment", "credit", "daily cash"],
            money_out: &["purchase"],
        }),
        sign: AmountSign::InNegative,
        only_currency: Some("USD"),
        ..PLAIN
    },
];
