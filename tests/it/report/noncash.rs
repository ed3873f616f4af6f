//! What takes place without cash, and what belongs to which section: spec/domain.md §4.2, figures worked by hand.

use serde_json::{Value, json};

use super::cash_flow::{desk, lines};

/// One entry after 10,000.00 of capital, its sections, and what it does without cash.
struct Sole {
    lines: &'static [&'static str],
    sections: [&'static str; 3],
    noncash: &'static [&'static str],
}

/// Entries one at a time.
const CASES: &[Sole] = &[
    // Paid and borrowed in one entry, cash to match on both sides.
    Sole {
        lines: &[
            "1510:dr:5000",
            "1000:cr:5000",
            "1010:dr:4000",
            "2700:cr:4000",
        ],
        sections: ["0.00", "-5000.00", "4000.00"],
        noncash: &[],
    },
    // An expense beside a purchase on a note.
    Sole {
        lines: &[
            "1510:dr:5000",
            "6800:dr:500",
            "1000:cr:1500",
            "2700:cr:4000",
        ],
        sections: ["-500.00", "-1000.00", "0.00"],
        noncash: &["1510 | Equipment, by Loans Payable | 4000.00"],
    },
    // Bought on account.
    Sole {
        lines: &["1510:dr:5000", "2000:cr:5000"],
        sections: ["0.00", "0.00", "0.00"],
        noncash: &["1510 | Equipment, by Accounts Payable | 5000.00"],
    },
    // A bill that becomes a note.
    Sole {
        lines: &["2000:dr:700", "2700:cr:700"],
        sections: ["0.00", "0.00", "0.00"],
        noncash: &["2000 | Accounts Payable, by Loans Payable | 700.00"],
    },
    // Two assets on one note with some cash: what is left out is shared by their cost.
    Sole {
        lines: &[
            "1510:dr:2000",
            "1530:dr:1000",
            "1000:cr:600",
            "2700:cr:2400",
        ],
        sections: ["0.00", "-600.00", "0.00"],
        noncash: &["1510 | Equipment, by Loans Payable | 2400.00"],
    },
    // Declared, not yet paid.
    Sole {
        lines: &["3999:dr:900", "2650:cr:900"],
        sections: ["0.00", "0.00", "0.00"],
        noncash: &["3999 | Retained Earnings, by Distributions Payable | 900.00"],
    },
    // Paid out of retained earnings at once.
    Sole {
        lines: &["3999:dr:900", "1000:cr:900"],
        sections: ["0.00", "0.00", "-900.00"],
        noncash: &[],
    },
    // An error of an earlier year, found in receivables.
    Sole {
        lines: &["3999:dr:40", "1200:cr:40"],
        sections: ["0.00", "0.00", "0.00"],
        noncash: &[],
    },
    // Sold at cost, on account.
    Sole {
        lines: &["1200:dr:800", "1530:cr:800"],
        sections: ["0.00", "0.00", "0.00"],
        noncash: &[],
    },
    // A loan is forgiven: earned, and no cash.
    Sole {
        lines: &["2700:dr:1000", "4000:cr:1000"],
        sections: ["0.00", "0.00", "0.00"],
        noncash: &["2700 | Loans Payable, by Revenue | 1000.00"],
    },
    // An owner pays a bill out of their own pocket.
    Sole {
        lines: &["6800:dr:80", "3000:cr:80"],
        sections: ["0.00", "0.00", "0.00"],
        noncash: &["6800 | Supplies, by Owner's Capital | 80.00"],
    },
    // A vehicle loses value, written off it directly.
    Sole {
        lines: &["6500:dr:500", "1530:cr:500"],
        sections: ["0.00", "0.00", "0.00"],
        noncash: &["6500 | Depreciation Expense, by Vehicles | 500.00"],
    },
    // Sold for cash, and insurance paid in the same entry: a prepaid expense is no price.
    Sole {
        lines: &["1000:dr:1000", "1530:cr:1000", "1400:dr:200", "1010:cr:200"],
        sections: ["-200.00", "1000.00", "0.00"],
        noncash: &[],
    },
    // An owner brings a vehicle.
    Sole {
        lines: &["1530:dr:6000", "3000:cr:6000"],
        sections: ["0.00", "0.00", "0.00"],
        noncash: &["1530 | Vehicles, by Owner's Capital | 6000.00"],
    },
];

/// spec/domain.md §4.2: what has no cash to match is left out of both sides and disclosed; what has is shown gross; retained
/// earnings, declared distributions, trades and settlements stand where they belong.
#[test]
fn without_cash() {
    for case in CASES {
        let mut desk = desk("2026-12-31");
        desk.post("2026-01-02", &["1000:dr:10000", "3000:cr:10000"]);
        let entry = desk.post("2026-02-01", case.lines);
        let range = json!({"start": "2026-02-01", "end": "2026-02-28"});
        let answer = desk.ok("books.cash_flow", range);
        let sections = ["operating", "investing", "financing"].map(|key| answer[key].clone());
        assert_eq!(
            sections,
            case.sections.map(Value::from),
            "{:?}: {answer}",
            case.lines
        );
        assert_eq!(lines(&answer, "noncash"), case.noncash, "{:?}", case.lines);
        let reversal = json!({"entry_id": entry, "date": "2026-02-20", "description": "Undone", "confirmed": true});
        desk.ok("books.reverse_entry", reversal);
        let undone = desk.ok(
            "books.cash_flow",
            json!({"start": "2026-02-01", "end": "2026-02-28"}),
        );
        for key in [
            "adjustments",
            "investing_lines",
            "financing_lines",
            "noncash",
        ] {
            assert_eq!(lines(&undone, key), [""; 0], "{:?} {key}", case.lines);
        }
    }
}
