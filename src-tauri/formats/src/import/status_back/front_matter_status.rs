//! The value of `status` in the front matter of a task file.

const DONE: &str = "Done";

/// The line with the status, counted from 0; `None` without one.
pub(super) fn find(lines: &[String]) -> Option<usize> {
    let is_border = |line: &String| line.trim_start_matches('\u{feff}').trim_end() == "---";
    if !lines.first().is_some_and(is_border) {
        return None;
    }
    let end = 1 + lines.iter().skip(1).position(is_border)?;
    (1..end).find(|&at| lines[at].starts_with("status:"))
}

/// The line with the status of a finished task. Spaces, quotes and a comment stay.
pub(super) fn done(line: &str) -> Option<String> {
    let rest = line.strip_prefix("status:")?;
    let value = rest.trim_start_matches([' ', '\t']);
    let space = match &rest[..rest.len() - value.len()] {
        "" => " ",
        space => space,
    };
    let (quote, end) = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => (Some(quote), 1 + value[1..].find(quote)? + 1),
        // A list or a block has no place for one word.
        Some('[' | '{' | '|' | '>' | '&' | '*' | '!') => return None,
        _ => {
            let text = value.split(" #").next().unwrap_or(value);
            (None, text.trim_end().len())
        }
    };
    let quote = quote.map(String::from).unwrap_or_default();
    Some(format!(
        "status:{space}{quote}{DONE}{quote}{}",
        &value[end..]
    ))
}

#[cfg(test)]
mod tests {
    use super::{done, find};

    #[test]
    fn only_the_value_changes() {
        for (line, after) in [
            ("status: To Do\n", "status: Done\n"),
            ("status:   'In Progress'  \r\n", "status:   'Done'  \r\n"),
            ("status: \"To Do\" # later\n", "status: \"Done\" # later\n"),
            ("status: To Do # later\n", "status: Done # later\n"),
            ("status:\n", "status: Done\n"),
        ] {
            assert_eq!(done(line).as_deref(), Some(after), "{line:?}");
        }
        for line in ["status: [a]\n", "status: |\n", "other: a\n", "status: 'a\n"] {
            assert_eq!(done(line), None, "{line:?}");
        }
    }

    #[test]
    fn status_is_found_only_in_front_matter() {
        let at = |text: &str| {
            find(
                &text
                    .split_inclusive('\n')
                    .map(str::to_owned)
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(at("\u{feff}---\r\nid: a\r\nstatus: b\r\n---\r\n"), Some(2));
        assert_eq!(at("---\nid: a\n---\nstatus: b\n"), None);
        assert_eq!(at("status: b\n"), None);
        assert_eq!(at("---\nstatus: b\n"), None);
    }
}
