//! Whether two handoffs say the same.

use std::borrow::Cow;

use super::{Artifact, Author};

impl Artifact {
    /// Whether both handoffs are the same for their readers: in their texts and named outputs, but
    /// not in who wrote them. How long a command took is part of generated texts; it is different
    /// in every attempt, so it doesn't count.
    #[must_use]
    pub fn says_the_same_as(&self, other: &Self) -> bool {
        self.outputs == other.outputs && self.lines_without_times().eq(other.lines_without_times())
    }

    fn lines_without_times(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let is_generated = self.author == Author::Facts;
        self.text.lines().map(move |line| match without_time(line) {
            Some(rest) if is_generated => Cow::Owned(format!("{rest}.")),
            _ => Cow::Borrowed(line),
        })
    }
}

/// The beginning of a line such as "`make` ended with exit code 0 after 2.3 s.", which Baton writes
/// about a command.
fn without_time(line: &str) -> Option<&str> {
    let (rest, time) = line.strip_suffix('.')?.rsplit_once(" after ")?;
    let is_about_a_command = rest.starts_with('`') && rest.contains("` ended");
    (is_about_a_command && is_elapsed(time)).then_some(rest)
}

/// Whether this was written by [`format_elapsed`](crate::duration::format_elapsed).
fn is_elapsed(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || ". dhms".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::Facts;
    use crate::duration::format_elapsed;

    fn of_command(done: &str, output: &str) -> Artifact {
        Artifact::from_facts(Facts {
            done: done.to_owned(),
            outputs: [("key".to_owned(), output.to_owned())]
                .into_iter()
                .collect(),
            tail: "all good\n".to_owned(),
            ..Facts::default()
        })
    }

    #[test]
    fn time_of_a_command_does_not_count() {
        let with = |ms: u64| {
            let done = format!(
                "`make` ended with exit code 0 after {}.",
                format_elapsed(ms)
            );
            of_command(&done, "1")
        };
        for ms in [0, 999, 2_300, 59_000, 245_000, 7_800_000, 300_000_000] {
            assert!(with(ms).says_the_same_as(&with(12)), "{}", with(ms).text);
        }
        let unknown = of_command("`make` ended with exit code 0.", "1");
        assert!(with(40).says_the_same_as(&unknown), "no time is known");
    }

    #[test]
    fn anything_else_counts() {
        let first = of_command("`make` ended with exit code 0 after 2.3 s.", "1");
        for other in [
            of_command("`make` ended with exit code 1 after 2.3 s.", "1"),
            of_command("`make x` ended with exit code 0 after 2.3 s.", "1"),
            of_command("`make` ended with exit code 0 after 2.3 s.", "2"),
            of_command("`make` ended with exit code 0 after lunch.", "1"),
        ] {
            assert!(!first.says_the_same_as(&other), "{}", other.text);
        }
    }

    #[test]
    fn times_that_an_agent_or_a_person_writes_count() {
        let said = |time: &str| {
            let text = format!("`make` ended well after {time}.");
            Artifact::from_agent_message(&text)
        };
        assert!(!said("2 s").says_the_same_as(&said("3 s")));
        let by_person = Artifact::from_person(&said("2 s").text);
        assert!(
            said("2 s").says_the_same_as(&by_person),
            "who wrote it doesn't count"
        );
    }
}
