//! Splitting a total into parts that sum to it exactly.

/// Splits `total_minor` over `weights` so that the parts sum to the total.
///
/// Units: minor units in and out. Rounding: largest remainder on the absolute amount, ties to the earlier weight, the sign
/// applied last, so no part ever has the opposite sign.
/// Refuses (`None`): an empty or all-zero weight list.
pub fn allocate(total_minor: i64, weights: &[u64]) -> Option<Vec<i64>> {
    let sum: u128 = weights.iter().map(|w| u128::from(*w)).sum();
    if sum == 0 {
        return None;
    }
    let total = u128::from(total_minor.unsigned_abs());
    let mut parts: Vec<(u128, u128)> = weights
        .iter()
        .map(|w| (total * u128::from(*w) / sum, total * u128::from(*w) % sum))
        .collect();
    let left = total - parts.iter().map(|p| p.0).sum::<u128>();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(parts[*i].1));
    for i in order.into_iter().take(usize::try_from(left).ok()?) {
        parts[i].0 += 1;
    }
    let signed = |part: u128| {
        let part = i128::try_from(part).ok()?;
        i64::try_from(if total_minor < 0 { -part } else { part }).ok()
    };
    parts.into_iter().map(|p| signed(p.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// spec/domain.md §1.4: the worked splits of income by share.
    #[test]
    fn worked_splits() {
        let cases: &[(i64, &[u64], &[i64])] = &[
            (10_001, &[50, 50], &[5_001, 5_000]),
            (100_000, &[3_334, 3_333, 3_333], &[33_340, 33_330, 33_330]),
            (100_001, &[3_334, 3_333, 3_333], &[33_341, 33_330, 33_330]),
            (123_457, &[525, 300, 175], &[64_815, 37_037, 21_605]),
            (-10_001, &[60, 40], &[-6_001, -4_000]),
            (-5, &[40, 30, 30], &[-2, -2, -1]),
            (5, &[10; 10], &[1, 1, 1, 1, 1, 0, 0, 0, 0, 0]),
        ];
        for (total, weights, parts) in cases {
            assert_eq!(
                allocate(*total, weights).as_deref(),
                Some(*parts),
                "{total} over {weights:?}"
            );
        }
    }

    /// No weight, no split.
    #[test]
    fn refuses_no_weight() {
        assert_eq!(allocate(100, &[]), None);
        assert_eq!(allocate(100, &[0, 0]), None);
    }

    proptest! {
        /// The parts sum to the total, each within one unit of its exact share and never of the opposite sign.
        #[test]
        fn sums_and_signs(total in any::<i64>(), weights in prop::collection::vec(0u64..10_000, 1..12)) {
            prop_assume!(weights.iter().any(|w| *w > 0));
            let parts = allocate(total, &weights).expect("weights are not all zero");
            let sum: u64 = weights.iter().sum();
            prop_assert_eq!(parts.iter().map(|p| i128::from(*p)).sum::<i128>(), i128::from(total));
            for (part, weight) in parts.iter().zip(&weights) {
                prop_assert!(part.signum() == 0 || part.signum() == total.signum());
                let off = i128::from(*part) * i128::from(sum) - i128::from(total) * i128::from(*weight);
                prop_assert!(off.abs() < i128::from(sum));
            }
        }
    }
}
