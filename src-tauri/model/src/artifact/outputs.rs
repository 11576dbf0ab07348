//! The named values that an attempt writes to the file behind `BATON_OUTPUT`.

use std::collections::BTreeMap;

/// The most of a named output, in bytes.
pub const OUTPUT_LIMIT: usize = 64 * 1024;
/// How much of the file is read, in bytes. Names after that have no value.
pub const READ_LIMIT: usize = 1024 * 1024;
/// The longest name, in bytes.
const NAME_LIMIT: usize = 128;
/// The most names in one sentence.
const NAMES_SHOWN: usize = 20;

/// What an attempt wrote, as far as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamedOutputs {
    /// The values by name.
    pub values: BTreeMap<String, String>,
    /// Names that stand after the first [`READ_LIMIT`] bytes.
    pub left_out: Vec<String>,
}

impl FromIterator<(String, String)> for NamedOutputs {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(values: I) -> Self {
        Self {
            values: values.into_iter().collect(),
            left_out: Vec::new(),
        }
    }
}

impl NamedOutputs {
    /// The values in a file: one `key=value` a line, later lines win.
    ///
    /// Keys are letters, digits, `_`, `-` and `.`; anything else, and every line without `=`, is passed over, as
    /// the file is written by programs that Baton does not control. Values are cut at [`OUTPUT_LIMIT`] and say so; so does
    /// one in whose middle the file breaks off, because the rest `is_cut`.
    #[must_use]
    pub fn parse(file: &str, is_cut: bool) -> Self {
        let mut values = BTreeMap::new();
        let mut lines = file.lines().peekable();
        while let Some(line) = lines.next() {
            let Some((name, value)) = line.split_once('=') else {
                continue;
            };
            if let Some(name) = output_name(name) {
                let is_whole = !is_cut || lines.peek().is_some() || file.ends_with('\n');
                values.insert(name.to_owned(), cut_value(value, is_whole));
            }
        }
        Self {
            values,
            left_out: Vec::new(),
        }
    }

    /// Takes note of a line after the part that is read, by what stands before its `=`. A value of that name that was
    /// read is out of date, and goes.
    pub fn leave_out(&mut self, name: &str) {
        let Some(name) = output_name(name) else {
            return;
        };
        self.values.remove(name);
        if let Err(place) = self
            .left_out
            .binary_search_by(|known| known.as_str().cmp(name))
        {
            self.left_out.insert(place, name.to_owned());
        }
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.left_out.is_empty()
    }
}

/// The name that stands before a `=`, if it is one.
fn output_name(text: &str) -> Option<&str> {
    let name = text.trim();
    let is_plain = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    (is_plain && name.len() <= NAME_LIMIT).then_some(name)
}

fn cut_value(value: &str, is_whole: bool) -> String {
    let kept = &value[..value.floor_char_boundary(OUTPUT_LIMIT)];
    match (is_whole, kept.len() == value.len()) {
        (true, true) => value.to_owned(),
        (true, false) => format!(
            "{kept} [Cut by Baton: the first {} of {} bytes.]",
            kept.len(),
            value.len()
        ),
        (false, _) => {
            format!("{kept} [Cut by Baton: BATON_OUTPUT is too long, and the rest was not read.]")
        }
    }
}

/// The sentence that names what was left out; `None` when nothing was.
#[must_use]
pub fn left_out_line(names: &[String]) -> Option<String> {
    let shown: Vec<String> = names
        .iter()
        .take(NAMES_SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    let more = names.len().saturating_sub(NAMES_SHOWN);
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let stand = if names.len() == 1 { "stands" } else { "stand" };
    let line = |shown: String| {
        format!(
            "[Cut by Baton: {shown}{rest} {stand} after the first 1 MiB of BATON_OUTPUT, and only that is read.]"
        )
    };
    (!names.is_empty()).then(|| line(shown.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_key_value_lines_and_the_last_one_wins() {
        let outputs = NamedOutputs::parse("a=1\nnoise\n=x\nb=x=y\na=2\nbad key=3\n", false);
        let pairs: Vec<_> = outputs.values.into_iter().collect();
        assert_eq!(
            pairs,
            [("a".into(), "2".into()), ("b".into(), "x=y".into())]
        );
    }

    #[test]
    fn values_that_are_cut_say_so() {
        let long = "ü".repeat(OUTPUT_LIMIT);
        let outputs = NamedOutputs::parse(&format!("short=1\nlong={long}\n"), false).values;
        assert_eq!(outputs["short"], "1");
        assert!(outputs["long"].ends_with("ü [Cut by Baton: the first 65536 of 131072 bytes.]"));
        let cut = NamedOutputs::parse("a=1\nb=2", true).values;
        assert_eq!(cut["a"], "1");
        assert!(
            cut["b"].starts_with("2 [Cut by Baton: BATON_OUTPUT is too long"),
            "{cut:?}"
        );
        assert_eq!(
            NamedOutputs::parse("a=1\nb=2\n", true).values["b"],
            "2",
            "the cut is after its line"
        );
    }

    #[test]
    fn names_that_are_left_out_lose_what_was_read_of_them() {
        let mut outputs = NamedOutputs::parse("a=1\nb=2\n", true);
        for name in ["late", "a", "no name", "late"] {
            outputs.leave_out(name);
        }
        assert_eq!(outputs.values, [("b".to_owned(), "2".to_owned())].into());
        assert_eq!(outputs.left_out, ["a", "late"]);
    }

    #[test]
    fn long_lists_of_names_are_shortened() {
        let names: Vec<String> = (0..23).map(|number| format!("n{number}")).collect();
        let line = left_out_line(&names).expect("there are names");
        assert!(
            line.contains("`n19` and 3 more stand after the first 1 MiB"),
            "{line}"
        );
        assert_eq!(left_out_line(&[]), None);
    }
}
