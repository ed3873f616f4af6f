//! What a layout can say, all at once and without a bank's name: ids that every transaction has, memo rows, a currency a row, two
//! statuses, an empty first column, words of direction. Tests only.

use crate::{
    domains::import::reading::{
        DateOrder, DecimalStyle, Pulled, SkipReason,
        layout::{AmountRule, Head, KindWords, Layout, PLAIN, Plan, StatusRule},
        pending::Unsettled,
        records::{Record, Records},
        rows::RowReader,
        survey::Findings,
    },
    model::Currency,
};

static WALLET: Layout = Layout {
    required: &[
        "id",
        "datetime",
        "status",
        "impact",
        "note",
        "from",
        "amount",
        "direction",
        "currency",
    ],
    date: &["datetime"],
    description: &["note", "from"],
    amount: AmountRule::Typed {
        amount: "amount",
        kind: "direction",
        words: KindWords {
            positive: &["in"],
            negative: &["out"],
        },
    },
    statuses: &[
        StatusRule {
            column: "status",
            settled: &["complete"],
            skipped: &[
                ("failed", SkipReason::Failed),
                ("cancelled", SkipReason::Cancelled),
            ],
        },
        StatusRule {
            column: "impact",
            settled: &["credit", "debit"],
            skipped: &[("memo", SkipReason::Memo)],
        },
    ],
    currency: Some("currency"),
    bank_id: Some("id"),
    id_required: true,
    ..PLAIN
};

const FILE: &str = "Account Statement - (@sample)
Account Activity
,ID,Datetime,Status,Impact,Note,From,Amount,Direction,Currency
,,,,,,,$100.00,,
,T1,2026-10-01T08:00:00,Complete,Debit,Lunch,,- $12.50,OUT,USD
,T2,2026-10-02T08:00:00,Complete,Credit,,A. Sample,+ $5.00,IN,usd
,T3,2026-10-03T08:00:00,Failed,Debit,x,,9.00,OUT,USD
,T4,2026-10-04T08:00:00,Cancelled,Debit,x,,9.00,OUT,USD
,T5,2026-10-05T08:00:00,Complete,Memo,x,,9.00,OUT,USD
,T6,2026-10-06T08:00:00,Complete,Debit,x,,9.00,OUT,EUR
,T7,2026-10-07T08:00:00,Complete,Debit,x,,9.00,NEUTRAL,USD
\"Closing words
of the wallet\"
";

/// spec/domain.md §10.2: wallets and payment services come as rows of the table, without new code.
#[test]
fn a_wallet_is_a_row_of_the_table() {
    let currency = Currency::from_code("USD").expect("USD is listed");
    let records: Vec<Record<'_>> = Records::new(FILE, b',')
        .map(|r| r.expect("a record"))
        .collect();
    let head = Head {
        delimiter: b',',
        records: records.clone(),
    };
    let plan: Plan = WALLET
        .plan(&head, true, currency)
        .expect("no refusal")
        .expect("the wallet's header");
    assert_eq!(plan.records_before, 3);
    let findings = Findings {
        records_total: 12,
        date_order: DateOrder::Mdy,
        decimal: DecimalStyle::Point,
        sign: plan.sign,
        unsettled: Unsettled::Nowhere,
        warnings: Vec::new(),
    };
    let reader = RowReader {
        plan: &plan,
        findings: &findings,
        currency,
    };
    let told: Vec<String> = records[plan.records_before..]
        .iter()
        .map(|record| match reader.read(record) {
            Pulled::Row(row) => {
                let id = row.bank_id.unwrap_or_default();
                format!("{id} {} {} {}", row.date, row.amount_minor, row.description)
            }
            Pulled::Skipped(skipped) => format!("{} {}", skipped.line, skipped.reason),
            Pulled::Faulty(faults) => format!("{} fault in {}", faults[0].line, faults[0].field),
        })
        .collect();
    let expected = [
        "4 no_bank_id",
        "T1 2026-10-01 -1250 Lunch",
        "T2 2026-10-02 500 A. Sample",
        "7 failed",
        "8 cancelled",
        "9 memo",
        "10 other_currency",
        "11 fault in type",
        "12 no_bank_id",
    ];
    assert_eq!(told, expected);
}
