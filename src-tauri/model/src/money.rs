//! Amounts of money as people read them.

const DECIMALS: usize = 9;

/// An amount beside its limit: `$0.03 of $0.001`. Uses enough decimals to tell the two apart.
#[must_use]
pub fn format_cost_of_limit(cost: f64, limit: f64) -> String {
    let shown = |amount: f64, decimals: usize| format!("${amount:.decimals$}");
    let finest = (2..=DECIMALS)
        .find(|&decimals| shown(limit, decimals).trim_start_matches('$').parse() == Ok(limit));
    let finest = finest.unwrap_or(DECIMALS);
    let limit_shown = shown(limit, finest);
    let apart =
        (finest..=DECIMALS).find(|&decimals| shown(cost, decimals) != shown(limit, decimals));
    format!(
        "{} of {limit_shown}",
        shown(cost, apart.unwrap_or(DECIMALS))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_budgets_are_not_shown_as_zero() {
        let table = [
            (1.5, 1.0, "$1.50 of $1.00"),
            (0.034_567, 0.01, "$0.03 of $0.01"),
            (0.03, 0.001, "$0.030 of $0.001"),
            (0.000_02, 0.000_01, "$0.00002 of $0.00001"),
            (0.010_001, 0.01, "$0.010001 of $0.01"),
            (3.0, 0.000_000_1, "$3.0000000 of $0.0000001"),
        ];
        for (cost, limit, words) in table {
            assert_eq!(format_cost_of_limit(cost, limit), words);
        }
    }
}
