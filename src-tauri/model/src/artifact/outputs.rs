//! The named values that an attempt writes to the file behind `BATON_OUTPUT`.

use std::collections::BTreeMap;

/// The maximum size of a named output, in bytes.
pub const OUTPUT_LIMIT: usize = 64 * 1024;
/// How much of the file is read, in bytes. Names after that have no value.
pub const READ_LIMIT: usize = 1024 * 1024;
/// The maximum length of an output's name, in bytes.
const NAME_LIMIT: usize = 128;
/// Further names in the note are only counted.
const MAX_LISTED_NAMES: usize = 20;

/// The outputs of an attempt, as far as they were read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct NamedOutputs {
    pub values: BTreeMap<String, String>,
    /// Names after the first [`READ_LIMIT`] bytes.
    pub left_out: Vec<String>,
}

/// Why outputs that a person typed can't be used. Numbers count the outputs from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum OutputFault {
    #[error("named output {number} has no name")]
    NoName { number: usize },
    /// No template or condition could refer to it.
    #[error(
        "the name of named output {number}, '{name}', can't be used in `{{{{nodes.ID.outputs.NAME}}}}`"
    )]
    BadName { number: usize, name: String },
    #[error("named outputs {first} and {number} have the same name, '{name}'")]
    Twice {
        first: usize,
        number: usize,
        name: String,
    },
    #[error(
        "the value of named output {number}, '{name}', has {bytes} bytes; the limit is {OUTPUT_LIMIT}"
    )]
    LongValue {
        number: usize,
        name: String,
        bytes: usize,
    },
}

impl OutputFault {
    /// What to do about it, as a fragment for people.
    #[must_use]
    pub fn fix(&self) -> String {
        match self {
            Self::NoName { .. } => "enter a name, or remove the output".to_owned(),
            Self::BadName { .. } => format!(
                "use only letters, digits, `_`, `-` and `.`, and at most {NAME_LIMIT} characters"
            ),
            Self::Twice { .. } => "rename or remove one of them".to_owned(),
            Self::LongValue { .. } => {
                "write the value to a file and use its path as the value".to_owned()
            }
        }
    }
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
    /// Parses a file with one `key=value` per line; later lines win.
    ///
    /// Keys consist of letters, digits, `_`, `-` and `.`. Other lines are ignored, because the file
    /// is written by programs that Baton does not control. Values longer than [`OUTPUT_LIMIT`] are
    /// truncated with a note. If the file `is_cut`, so is its last value.
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

    /// The outputs that a person typed, in their order. Nothing is dropped: what a program couldn't
    /// write, or a node couldn't read, is refused.
    pub fn from_typed(
        typed: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, OutputFault> {
        let mut values = BTreeMap::new();
        let mut numbers = BTreeMap::new();
        for (number, (name, value)) in (1..).zip(typed) {
            let name = valid_name(number, &name)?;
            if value.len() > OUTPUT_LIMIT {
                let bytes = value.len();
                return Err(OutputFault::LongValue {
                    number,
                    name,
                    bytes,
                });
            }
            if let Some(first) = numbers.insert(name.clone(), number) {
                return Err(OutputFault::Twice {
                    first,
                    number,
                    name,
                });
            }
            values.insert(name, value);
        }
        Ok(Self {
            values,
            left_out: Vec::new(),
        })
    }

    /// Records a line after the part that is read. `name` is the text before its `=`. An earlier
    /// value of that name is outdated and is removed.
    pub fn omit(&mut self, name: &str) {
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

    #[must_use]
    #[expect(missing_docs, reason = "the name says it")]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.left_out.is_empty()
    }
}

fn valid_name(number: usize, typed: &str) -> Result<String, OutputFault> {
    match (typed.trim(), output_name(typed)) {
        ("", _) => Err(OutputFault::NoName { number }),
        (name, None) => Err(OutputFault::BadName {
            number,
            name: name.to_owned(),
        }),
        (_, Some(name)) => Ok(name.to_owned()),
    }
}

/// The text before a `=`, if it is a valid name.
fn output_name(text: &str) -> Option<&str> {
    let name = text.trim();
    is_output_name(name).then_some(name)
}

/// Whether an output can have this name: letters, digits, `_`, `-` and `.`.
#[must_use]
pub fn is_output_name(name: &str) -> bool {
    let is_plain = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    is_plain && name.len() <= NAME_LIMIT
}

fn cut_value(value: &str, is_whole: bool) -> String {
    let kept = &value[..value.floor_char_boundary(OUTPUT_LIMIT)];
    match (is_whole, kept.len() == value.len()) {
        (true, true) => value.to_owned(),
        (true, false) => format!(
            "{kept} [Truncated by Baton: showing the first {} of {} bytes.]",
            kept.len(),
            value.len()
        ),
        (false, _) => {
            format!(
                "{kept} [Truncated by Baton: BATON_OUTPUT is too long, so the rest was not read.]"
            )
        }
    }
}

/// The note that lists the omitted outputs; `None` if there are none.
#[must_use]
pub fn omitted_names_line(names: &[String]) -> Option<String> {
    let shown: Vec<String> = names
        .iter()
        .take(MAX_LISTED_NAMES)
        .map(|name| format!("`{name}`"))
        .collect();
    let more = names.len().saturating_sub(MAX_LISTED_NAMES);
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let come = if names.len() == 1 { "comes" } else { "come" };
    let line = |shown: String| {
        format!(
            "[Truncated by Baton: {shown}{rest} {come} after the first 1 MiB of BATON_OUTPUT, which is all that Baton reads.]"
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
    fn typed_outputs_are_used_whole_or_refused() {
        let typed = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter();
            NamedOutputs::from_typed(
                pairs.map(|&(name, value)| (name.to_owned(), value.to_owned())),
            )
        };
        let outputs = typed(&[(" made ", "x=y"), ("a.b-c_1", "")]).expect("valid names");
        let expected = [("a.b-c_1", ""), ("made", "x=y")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(outputs.values, expected.into());
        let long = "x".repeat(OUTPUT_LIMIT + 1);
        let name = "n".repeat(NAME_LIMIT + 1);
        for (pairs, message) in [
            (
                vec![("a", "1"), ("  ", "2")],
                "named output 2 has no name".to_owned(),
            ),
            (
                vec![("my key", "1")],
                "the name of named output 1, 'my key', can't be used in `{{nodes.ID.outputs.NAME}}`"
                    .to_owned(),
            ),
            (
                vec![(name.as_str(), "1")],
                format!(
                    "the name of named output 1, '{name}', can't be used in `{{{{nodes.ID.outputs.NAME}}}}`"
                ),
            ),
            (
                vec![("a", "1"), ("b", "2"), ("a ", "1")],
                "named outputs 1 and 3 have the same name, 'a'".to_owned(),
            ),
            (
                vec![("a", long.as_str())],
                "the value of named output 1, 'a', has 65537 bytes; the limit is 65536".to_owned(),
            ),
        ] {
            let refused = typed(&pairs).expect_err("it can't be used");
            assert_eq!(refused.to_string(), message);
            assert!(!refused.fix().is_empty());
        }
    }

    #[test]
    fn truncated_values_have_a_note() {
        let long = "ü".repeat(OUTPUT_LIMIT);
        let outputs = NamedOutputs::parse(&format!("short=1\nlong={long}\n"), false).values;
        assert_eq!(outputs["short"], "1");
        assert!(
            outputs["long"]
                .ends_with("ü [Truncated by Baton: showing the first 65536 of 131072 bytes.]")
        );
        let cut = NamedOutputs::parse("a=1\nb=2", true).values;
        assert_eq!(cut["a"], "1");
        assert!(
            cut["b"].starts_with("2 [Truncated by Baton: BATON_OUTPUT is too long"),
            "{cut:?}"
        );
        assert_eq!(
            NamedOutputs::parse("a=1\nb=2\n", true).values["b"],
            "2",
            "the cut is after its line"
        );
    }

    #[test]
    fn omitted_names_lose_their_value() {
        let mut outputs = NamedOutputs::parse("a=1\nb=2\n", true);
        for name in ["late", "a", "no name", "late"] {
            outputs.omit(name);
        }
        assert_eq!(outputs.values, [("b".to_owned(), "2".to_owned())].into());
        assert_eq!(outputs.left_out, ["a", "late"]);
    }

    #[test]
    fn long_lists_of_names_are_shortened() {
        let names: Vec<String> = (0..23).map(|number| format!("n{number}")).collect();
        let line = omitted_names_line(&names).expect("there are names");
        assert!(
            line.contains("`n19` and 3 more come after the first 1 MiB"),
            "{line}"
        );
        assert_eq!(omitted_names_line(&[]), None);
    }
}
