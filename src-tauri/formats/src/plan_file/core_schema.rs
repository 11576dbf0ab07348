//! Types of unquoted YAML scalars (YAML 1.2.2 §10.3.2, the core schema).
//!
//! `yes`, `no`, `on` and `off` are text. They were booleans only in YAML 1.1.

use super::tree::ScalarKind;

/// The type of the plain scalar `text`.
pub(super) fn resolve(text: &str) -> ScalarKind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => ScalarKind::Null,
        "true" | "True" | "TRUE" => ScalarKind::Bool(true),
        "false" | "False" | "FALSE" => ScalarKind::Bool(false),
        _ if is_integer(text) => ScalarKind::Integer,
        _ if is_float(text) => ScalarKind::Float,
        _ => ScalarKind::Text,
    }
}

fn is_integer(text: &str) -> bool {
    let is_of =
        |digits: &str, radix| !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    if let Some(digits) = text.strip_prefix("0x") {
        return is_of(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return is_of(digits, 8);
    }
    is_of(unsigned(text), 10)
}

/// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`, infinity, or not a number.
fn is_float(text: &str) -> bool {
    if matches!(unsigned(text), ".inf" | ".Inf" | ".INF")
        || matches!(text, ".nan" | ".NaN" | ".NAN")
    {
        return true;
    }
    let (mantissa, exponent) = match unsigned(text).split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(unsigned(exponent))),
        None => (unsigned(text), None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    are_digits(whole)
        && are_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && are_digits(exponent))
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

/// The value of an integer in any notation, if it fits.
pub(super) fn integer(text: &str) -> Option<i128> {
    if let Some(digits) = text.strip_prefix("0x") {
        return i128::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return i128::from_str_radix(digits, 8).ok();
    }
    text.parse().ok()
}

/// The value of a number in any notation, if it is finite.
pub(super) fn number(text: &str) -> Option<f64> {
    let value = match text.parse::<f64>() {
        Ok(value) => value,
        Err(_) => integer(text)? as f64,
    };
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_resolve_by_the_core_schema() {
        for (text, kind) in [
            ("", ScalarKind::Null),
            ("~", ScalarKind::Null),
            ("NULL", ScalarKind::Null),
            ("nUll", ScalarKind::Text),
            ("True", ScalarKind::Bool(true)),
            ("yes", ScalarKind::Text),
            ("off", ScalarKind::Text),
            ("0", ScalarKind::Integer),
            ("-12", ScalarKind::Integer),
            ("0o17", ScalarKind::Integer),
            ("0xFF", ScalarKind::Integer),
            ("0x", ScalarKind::Text),
            ("-0x1", ScalarKind::Text),
            ("1_000", ScalarKind::Text),
            ("1.", ScalarKind::Float),
            (".5", ScalarKind::Float),
            (".", ScalarKind::Text),
            ("1e3", ScalarKind::Float),
            ("1e", ScalarKind::Text),
            ("-.inf", ScalarKind::Float),
            (".NaN", ScalarKind::Float),
            ("-.nan", ScalarKind::Text),
            ("1.2.3", ScalarKind::Text),
            ("12:30", ScalarKind::Text),
        ] {
            assert_eq!(resolve(text), kind, "{text:?}");
        }
    }

    #[test]
    fn numbers_are_parsed_in_every_notation() {
        assert_eq!(integer("0o17"), Some(15));
        assert_eq!(integer("+7"), Some(7));
        assert_eq!(number("0x10"), Some(16.0));
        assert_eq!(number("1."), Some(1.0));
        assert_eq!(number("1e999"), None, "JSON has no infinity");
        assert_eq!(number(".nan"), None);
    }
}
