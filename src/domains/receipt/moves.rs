//! What an edit of the settings did to the receipt policy, in words for a person. Pure.

use super::policy::{CASH, EXEMPT, REQUIRED, ReceiptRule, of_texts};
use crate::model::{Currency, quoted};

/// How many codes of a list are named.
const CODES_MAX: usize = 10;

/// The texts of the settings file and of the policy file; none of one that was not there.
type Texts<'t> = (Option<&'t str>, Option<&'t str>);

/// How the policy in force after an edit differs from the one before, whichever file states it: a phrase each for the
/// threshold, the accounts that need a receipt or none, and the cash accounts. None where a text cannot be read.
pub fn policy_moves(before: Texts<'_>, after: Texts<'_>, currency: Currency) -> Vec<String> {
    let (Some((was, cash_was)), Some((is, cash_is))) =
        (of_texts(before, currency), of_texts(after, currency))
    else {
        return Vec::new();
    };
    let mut moves = Vec::new();
    let value = |rule: &ReceiptRule| rule.require_receipts_above.decimal().normalize();
    if value(&was) != value(&is) {
        let (was, is) = (was.require_receipts_above, is.require_receipts_above);
        moves.push(format!("receipts are needed above {is}, before {was}"));
    }
    let lists = [
        (
            REQUIRED,
            &was.receipt_required_accounts,
            &is.receipt_required_accounts,
        ),
        (
            EXEMPT,
            &was.receipt_exempt_accounts,
            &is.receipt_exempt_accounts,
        ),
        (CASH, &cash_was, &cash_is),
    ];
    for (list, was, is) in lists {
        moves.extend(missing(was, is).map(|codes| format!("{list} gained {codes}")));
        moves.extend(missing(is, was).map(|codes| format!("{list} lost {codes}")));
    }
    moves
}

/// The codes that one list has and another has not.
fn missing(without: &[String], with: &[String]) -> Option<String> {
    let codes: Vec<&String> = with.iter().filter(|code| !without.contains(code)).collect();
    let named = codes.iter().take(CODES_MAX).map(|code| quoted(code));
    let mut named = named.collect::<Vec<_>>().join(", ");
    let more = codes.len().saturating_sub(CODES_MAX);
    if more > 0 {
        named.push_str(&format!(" and {more} more"));
    }
    (!codes.is_empty()).then_some(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(before: Texts<'_>, after: Texts<'_>) -> Vec<String> {
        policy_moves(
            before,
            after,
            Currency::from_code("USD").expect("a currency"),
        )
    }

    const NONE: [&str; 0] = [];

    /// spec/reliability.md A1: an edit that moved the threshold is told with both values, whichever file stated it before and
    /// after; another way to write or state the same amount is no move, and what cannot be read tells nothing.
    #[test]
    fn thresholds() {
        let toml = |amount: &str| format!("[books]\nreceipt_threshold = \"{amount}\"\n");
        let json = |amount: &str| {
            format!("{{\"receipt_policy\": {{\"require_receipts_above\": \"{amount}\"}}}}")
        };
        let (low, high) = (toml("25.00"), toml("250.00"));
        let raised = ["receipts are needed above 250.00, before 25.00"];
        let lowered = ["receipts are needed above 25.00, before 250.00"];
        assert_eq!(moves((Some(&low), None), (Some(&high), None)), raised);
        // 25.00 where nothing is stated.
        assert_eq!(moves((None, None), (Some(&high), None)), raised);
        assert_eq!(moves((Some(&high), None), (Some(""), None)), lowered);
        let stated = json("250.00");
        assert_eq!(
            moves((Some(&low), None), (Some(&low), Some(&stated))),
            raised
        );
        assert_eq!(moves((None, Some(&stated)), (None, None)), lowered);
        // What the settings say moves nothing while the policy file states a policy.
        assert_eq!(
            moves((Some(&low), Some(&stated)), (Some(&high), Some(&stated))),
            NONE
        );
        // The same amount, moved to the other file.
        assert_eq!(moves((Some(&high), None), (Some(""), Some(&stated))), NONE);
        assert_eq!(moves((Some(&toml("25")), None), (Some(&low), None)), NONE);
        assert_eq!(
            moves((Some("not = [toml"), None), (Some(&high), None)),
            NONE
        );
    }

    /// Accounts that a list gained or lost are named with the list, at most ten of them.
    #[test]
    fn lists() {
        let policy = |required: &str, exempt: &str| {
            format!(
                "{{\"receipt_policy\": {{\"receipt_required_accounts\": [{required}], \"receipt_exempt_accounts\": [{exempt}]}}}}"
            )
        };
        let (before, after) = (
            policy("\"6310\", \"6320\"", ""),
            policy("\"6310\"", "\"6800\""),
        );
        let cash = "[books]\ncash_accounts = [\"1000\"]\n";
        assert_eq!(
            moves((None, Some(&before)), (Some(cash), Some(&after))),
            [
                "receipt_required_accounts lost \"6320\"",
                "receipt_exempt_accounts gained \"6800\"",
                "cash_accounts gained \"1000\"",
            ]
        );
        let many: Vec<String> = (10..22).map(|code| format!("\"{code}\"")).collect();
        let many = policy("", &many.join(","));
        let told = moves((None, Some(&many)), (None, None));
        assert!(told[0].ends_with("\"19\" and 2 more"), "{told:?}");
    }
}
