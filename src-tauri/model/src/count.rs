//! Counts as people read them.

/// A count with thousands separators: `1,234,567`.
#[must_use]
pub fn format_count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 node`, `2,000 nodes`.
#[must_use]
pub fn format_quantity(count: impl TryInto<u64>, one: &str, many: &str) -> String {
    match count.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {one}"),
        count => format!("{} {many}", format_count(count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let table = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (12_345, "12,345"),
            (1_234_567, "1,234,567"),
        ];
        for (count, text) in table {
            assert_eq!(format_count(count), text);
        }
    }

    #[test]
    fn noun_agrees_with_its_count() {
        let criteria = |count: usize| format_quantity(count, "criterion", "criteria");
        assert_eq!(criteria(0), "0 criteria");
        assert_eq!(criteria(1), "1 criterion");
        assert_eq!(criteria(2_000), "2,000 criteria");
    }
}
