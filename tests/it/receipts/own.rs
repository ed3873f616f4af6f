//! Money that only moves between the company's own accounts, and what the policy tells of it.

use super::{desk, draft, post};

/// Where money only moves between the company's own assets, the hint tells that naming them as cash accounts makes it exempt.
#[test]
fn own_accounts() {
    for (settings, named) in [
        ("", "name 1010 and 1000 in [books] cash_accounts"),
        (
            "[books]\ncash_accounts = [\"1000\"]\n",
            "name 1010 in [books] cash_accounts",
        ),
    ] {
        let mut desk = desk(settings);
        let lines = ["1010:dr:500.00", "1000:cr:500.00"];
        let id = draft(&mut desk, ("2026-10-10", "To savings"), &lines);
        let refused = post(&mut desk, id).expect_err("a refusal");
        let hint = refused["remedy_hint"].as_str().expect("a hint");
        assert!(hint.contains(named), "{hint}");
    }
}
