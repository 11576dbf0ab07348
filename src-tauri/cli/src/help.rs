//! The pages of the guide. Their sources are in `ui/src/help/pages`, shared with the window.

mod page;

pub(crate) use page::render_page;

/// A page of the guide.
#[derive(Debug)]
pub(crate) struct Topic {
    /// The name for `baton help`, and of its file without extension.
    pub(crate) id: &'static str,
    /// The Markdown source.
    pub(crate) source: &'static str,
}

impl Topic {
    /// Returns the first heading.
    pub(crate) fn title(&self) -> &'static str {
        let first = self.source.lines().next().unwrap_or_default();
        first.trim_start_matches("# ")
    }

    /// Returns the first line below the title.
    pub(crate) fn summary(&self) -> &'static str {
        self.source.lines().nth(2).unwrap_or_default()
    }
}

macro_rules! topic {
    ($id:literal) => {
        Topic {
            id: $id,
            source: include_str!(concat!("../../../ui/src/help/pages/", $id, ".md")),
        }
    };
}

/// All pages, in the order of `contents.md`.
pub(crate) const TOPICS: &[Topic] = &[
    topic!("getting-started"),
    topic!("creating-blueprints"),
    topic!("editor"),
    topic!("versions"),
    topic!("node-kinds"),
    topic!("edges"),
    topic!("handoffs"),
    topic!("running"),
    topic!("run-history"),
    topic!("permissions"),
    topic!("autonomy"),
    topic!("trouble"),
    topic!("takeover"),
    topic!("isolation"),
    topic!("terminal"),
    topic!("teams"),
    topic!("timelines"),
    topic!("plan-files"),
    topic!("shell"),
    topic!("keyboard"),
    topic!("settings"),
    topic!("privacy"),
    topic!("comparison"),
];

/// Returns the page with this ID.
pub(crate) fn find(id: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|topic| topic.id == id)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use clap::Parser;
    use clap::error::ErrorKind;

    use super::*;
    use crate::arguments::Arguments;

    const CONTENTS: &str = include_str!("../../../ui/src/help/pages/contents.md");

    #[test]
    fn topics_are_those_of_the_contents_in_their_order() {
        let listed: Vec<_> = CONTENTS
            .split("](")
            .skip(1)
            .filter_map(|rest| Some(rest.split_once(".md)")?.0))
            .collect();
        let ids: Vec<_> = TOPICS.iter().map(|topic| topic.id).collect();
        assert_eq!(ids, listed);
    }

    #[test]
    fn every_page_has_a_title_and_a_summary() {
        for topic in TOPICS {
            assert!(topic.source.starts_with("# "), "{} has no title", topic.id);
            assert!(
                topic.summary().ends_with('.'),
                "{} has no summary",
                topic.id
            );
        }
    }

    /// Returns the commands in shell code blocks, without their comments.
    fn shell_commands(markdown: &str) -> Vec<&str> {
        let blocks = markdown.split("```sh\n").skip(1);
        let lines = blocks.flat_map(|block| block.split("```").next().unwrap_or_default().lines());
        lines
            .map(|line| line.split(" #").next().unwrap_or_default().trim())
            .filter(|line| line.starts_with("baton "))
            .collect()
    }

    /// Returns the commands in inline code, where required arguments may be missing.
    fn mentioned_commands(markdown: &str) -> Vec<&str> {
        let spans = markdown
            .lines()
            .flat_map(|line| line.split('`').skip(1).step_by(2));
        spans.filter(|span| span.starts_with("baton ")).collect()
    }

    fn refusal(line: &str) -> Option<clap::Error> {
        let words = words(line);
        Arguments::try_parse_from(words).err()
    }

    /// Splits a line as a shell does. Supports `'` and `"` quotes, which are all that the pages
    /// use.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quote = None;
        for c in line.chars() {
            match (quote, c) {
                (Some(open), c) if c == open => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None, ' ') => words.push(String::new()),
                (_, c) => words.last_mut().expect("there is a word").push(c),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn every_command_in_the_guide_and_the_readme_is_understood() {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let readme = fs::read_to_string(top.join("README.md")).expect("a README");
        let pages = TOPICS.iter().map(|topic| (topic.id, topic.source));
        let mut seen = 0;
        for (name, text) in pages.chain([("README.md", readme.as_str())]) {
            for line in shell_commands(text) {
                seen += 1;
                // The pages use placeholders such as REQUEST, which are not valid IDs.
                let refusal =
                    refusal(line).filter(|error| error.kind() != ErrorKind::ValueValidation);
                assert!(refusal.is_none(), "{name}: {line}: {refusal:?}");
            }
            for line in mentioned_commands(text) {
                let wrong = refusal(line).filter(|error| {
                    matches!(
                        error.kind(),
                        ErrorKind::UnknownArgument
                            | ErrorKind::InvalidSubcommand
                            | ErrorKind::InvalidValue
                    )
                });
                let is_placeholder = line.starts_with("baton COMMAND");
                assert!(
                    wrong.is_none() || is_placeholder,
                    "{name}: {line}: {wrong:?}"
                );
            }
        }
        assert!(seen > 40, "only {seen} commands were found");
    }

    #[test]
    fn a_command_that_does_not_exist_is_found() {
        assert_eq!(
            shell_commands("```sh\nbaton nosuch  # no\n```"),
            ["baton nosuch"]
        );
        assert_eq!(mentioned_commands("`x` and `baton run`"), ["baton run"]);
        assert!(refusal("baton nosuch").is_some());
        assert!(refusal("baton run plan.yaml --nosuch").is_some());
        assert!(refusal("baton session continue S \"two words\"").is_none());
    }
}
