//! The layouts of wallets, payment services and banks without branches, as data. Nothing is computed here.
//!
//! Source: the project's survey of public importers and of notes about real files. Where a word for a status is known from none
//! of them, its row is a fault: whether money moved is not guessed.

use crate::domains::import::reading::{
    DateOrder, LayoutName, SkipReason,
    layout::{
        AmountRule, DirectionWords, End, Ends, Layout, OwnBalance, PLAIN, StatusByKind, StatusRule,
    },
};

/// Every layout, the more common first; forms of one file follow one another.
pub(in crate::domains::import::reading) const LAYOUTS: &[Layout] = &[
    // Original Currency is what a card's purchase was in; the amount is in dollars all the same.
    Layout {
        name: LayoutName::Mercury,
        required: &[
            "date (utc)",
            "description",
            "amount",
            "status",
            "source account",
            "bank description",
        ],
        open: true,
        date: &["date (utc)"],
        description: &["description", "bank description"],
        statuses: &[StatusRule {
            column: "status",
            settled: &["sent"],
            skipped: &[
                ("pending", SkipReason::Pending),
                ("failed", SkipReason::Failed),
                ("cancelled", SkipReason::Cancelled),
            ],
        }],
        only_currency: Some("USD"),
        account: Some("source account"),
        check_number: Some("check number"),
        ..PLAIN
    },
    // The columns of day and text have several names. Its word for settled rows is known from no file.
    Layout {
        name: LayoutName::BrexCash,
        required: &["amount", "balance", "status", "account number last four"],
        open: true,
        date: &[
            "date",
            "posting date",
            "initiated/posting date",
            "initiated date",
        ],
        description: &["to/from", "description"],
        statuses: &[StatusRule {
            column: "status",
            settled: &["completed", "posted", "processed", "settled", "sent"],
            skipped: &[
                ("pending", SkipReason::Pending),
                ("scheduled", SkipReason::Pending),
                ("failed", SkipReason::Failed),
                ("cancelled", SkipReason::Cancelled),
                ("canceled", SkipReason::Cancelled),
            ],
        }],
        currency: Some("currency"),
        account: Some("account number last four"),
        balance: Some("balance"),
        ..PLAIN
    },
    PAYPAL,
    STRIPE_PAYOUTS,
    // One file a currency. Fees are inside the amounts.
    Layout {
        name: LayoutName::WiseStatement,
        required: &[
            "transferwise id",
            "date",
            "amount",
            "currency",
            "description",
            "running balance",
        ],
        open: true,
        description: &["description", "payment reference"],
        date_order: Some(DateOrder::Dmy),
        currency: Some("currency"),
        bank_id: Some("transferwise id"),
        balance: Some("running balance"),
        words: Some(DirectionWords {
            column: "transaction type",
            money_in: &["credit"],
            money_out: &["debit"],
        }),
        ..PLAIN
    },
    WISE_HISTORY,
    VENMO,
    Layout {
        name: LayoutName::N26,
        required: &[
            "booking date",
            "value date",
            "partner name",
            "type",
            "payment reference",
            "amount (eur)",
        ],
        open: true,
        date: &["booking date"],
        description: &["partner name", "payment reference", "type"],
        kind: Some("type"),
        amount: AmountRule::Signed("amount (eur)"),
        only_currency: Some("EUR"),
        account: Some("account name"),
        ..PLAIN
    },
    // The older form.
    Layout {
        name: LayoutName::N26,
        required: &[
            "date",
            "payee",
            "account number",
            "transaction type",
            "payment reference",
            "amount (eur)",
        ],
        open: true,
        description: &["payee", "payment reference", "transaction type"],
        kind: Some("transaction type"),
        amount: AmountRule::Signed("amount (eur)"),
        only_currency: Some("EUR"),
        ..PLAIN
    },
    // The balance moves by the amount less the fee. Pending rows have no completed date.
    Layout {
        name: LayoutName::Revolut,
        required: &[
            "type",
            "product",
            "started date",
            "completed date",
            "description",
            "amount",
            "fee",
            "currency",
            "state",
            "balance",
        ],
        date: &["completed date"],
        description: &["description", "type"],
        kind: Some("type"),
        amount: AmountRule::FeeBeside {
            amount: "amount",
            fee: "fee",
        },
        statuses: &[StatusRule {
            column: "state",
            settled: &["completed"],
            skipped: &[
                ("pending", SkipReason::Pending),
                ("failed", SkipReason::Failed),
                ("declined", SkipReason::Failed),
                ("cancelled", SkipReason::Cancelled),
                ("reverted", SkipReason::Reverted),
            ],
        }],
        currency: Some("currency"),
        account: Some("product"),
        balance: Some("balance"),
        ..PLAIN
    },
    // Money Out is written with either sign, so the amount is taken. A card that is only checked has a row of zero.
    Layout {
        name: LayoutName::Monzo,
        required: &[
            "transaction id",
            "date",
            "type",
            "name",
            "emoji",
            "amount",
            "currency",
            "notes and #tags",
        ],
        open: true,
        description: &["name", "description", "notes and #tags", "type"],
        kind: Some("type"),
        date_order: Some(DateOrder::Dmy),
        currency: Some("currency"),
        bank_id: Some("transaction id"),
        balance: Some("balance"),
        ..PLAIN
    },
];

/// One currency a row; outside the United States days come first and commas stand before the decimals, as the file shows.
const PAYPAL: Layout = Layout {
    name: LayoutName::PayPal,
    required: &[
        "date",
        "time",
        "name",
        "type",
        "status",
        "currency",
        "gross",
        "fee",
        "net",
        "transaction id",
    ],
    open: true,
    description: &["name", "type"],
    kind: Some("type"),
    amount: AmountRule::Net {
        gross: "gross",
        fee: "fee",
        net: "net",
    },
    date_order: None,
    statuses: &[
        StatusRule {
            column: "status",
            settled: &["completed"],
            skipped: &[
                ("pending", SkipReason::Pending),
                ("denied", SkipReason::Failed),
                ("failed", SkipReason::Failed),
                ("expired", SkipReason::Failed),
                ("canceled", SkipReason::Cancelled),
                ("cancelled", SkipReason::Cancelled),
                ("removed", SkipReason::Cancelled),
                ("reversed", SkipReason::Reverted),
            ],
        },
        StatusRule {
            column: "balance impact",
            settled: &["credit", "debit"],
            skipped: &[("memo", SkipReason::Memo)],
        },
    ],
    currency: Some("currency"),
    bank_id: Some("transaction id"),
    balance: Some("balance"),
    words: Some(DirectionWords {
        column: "balance impact",
        money_in: &["credit"],
        money_out: &["debit"],
    }),
    ..PLAIN
};

/// A positive amount goes to the bank, on the day of arrival.
const STRIPE_PAYOUTS: Layout = Layout {
    name: LayoutName::StripePayouts,
    required: &[
        "id",
        "amount",
        "created (utc)",
        "currency",
        "arrival date (utc)",
        "status",
        "balance transaction",
    ],
    open: true,
    date: &["arrival date (utc)"],
    description: &["description", "destination", "id"],
    statuses: &[
        StatusRule {
            column: "livemode",
            settled: &["true"],
            skipped: &[("false", SkipReason::Test)],
        },
        StatusRule {
            column: "status",
            settled: &["paid"],
            skipped: &[
                ("pending", SkipReason::Pending),
                ("in_transit", SkipReason::Pending),
                ("failed", SkipReason::Failed),
                ("canceled", SkipReason::Cancelled),
            ],
        },
    ],
    currency: Some("currency"),
    bank_id: Some("id"),
    ..PLAIN
};

/// One id may stand on several rows, one for each balance that paid a part, so rows are not known by it. The fee of money out
/// comes on top of its amount; that of money in is taken off already.
const WISE_HISTORY: Layout = Layout {
    name: LayoutName::WiseHistory,
    required: &[
        "id",
        "status",
        "direction",
        "finished on",
        "source fee amount",
        "source fee currency",
        "source amount (after fees)",
        "source currency",
        "target name",
        "target amount (after fees)",
        "target currency",
    ],
    open: true,
    date: &["finished on"],
    description: &["target name", "reference"],
    payer: Some("source name"),
    amount: AmountRule::Ends(Ends {
        direction: "direction",
        source: End {
            amount: "source amount (after fees)",
            currency: "source currency",
        },
        target: End {
            amount: "target amount (after fees)",
            currency: "target currency",
        },
        fee: End {
            amount: "source fee amount",
            currency: "source fee currency",
        },
    }),
    statuses: &[StatusRule {
        column: "status",
        settled: &["completed"],
        skipped: &[
            ("pending", SkipReason::Pending),
            ("failed", SkipReason::Failed),
            ("cancelled", SkipReason::Cancelled),
        ],
    }],
    ..PLAIN
};

/// Two lines stand above the header, whose first column has no name; the first row tells the beginning balance and the last the
/// ending one. `Issued` on a payment or a charge is a request that nobody has paid yet; on a transfer to a bank it is money that
/// has left, as the balances bear out.
const VENMO: Layout = Layout {
    name: LayoutName::Venmo,
    required: &[
        "id",
        "datetime",
        "type",
        "status",
        "note",
        "from",
        "to",
        "amount (total)",
    ],
    open: true,
    date: &["datetime"],
    description: &["note", "to", "type"],
    amount: AmountRule::Signed("amount (total)"),
    statuses: &[StatusRule {
        column: "status",
        settled: &["complete"],
        skipped: &[
            ("pending", SkipReason::Pending),
            ("failed", SkipReason::Failed),
            ("declined", SkipReason::Failed),
            ("expired", SkipReason::Failed),
            ("cancelled", SkipReason::Cancelled),
        ],
    }],
    status_by_kind: Some(StatusByKind {
        column: "status",
        word: "issued",
        kind: "type",
        settled: &["standard transfer", "instant transfer"],
        skipped: &[
            ("payment", SkipReason::Pending),
            ("charge", SkipReason::Pending),
        ],
    }),
    kind: Some("type"),
    only_currency: Some("USD"),
    own: Some(OwnBalance {
        from: "funding source",
        to: "destination",
        word: "venmo balance",
        none: "(none)",
    }),
    bank_id: Some("id"),
    id_required: true,
    told: Some(["beginning balance", "ending balance"]),
    ..PLAIN
};
