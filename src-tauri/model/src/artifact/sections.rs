//! The parts of a handoff below its headings.

use super::{Artifact, DECISIONS, MARKER};

impl Artifact {
    /// What was done, by the word of its author.
    #[must_use]
    pub fn summary(&self) -> &str {
        section(&self.text, MARKER)
    }

    /// The decisions that the text lists, each on one line.
    #[must_use]
    pub fn decisions(&self) -> Vec<String> {
        let mut items: Vec<String> = Vec::new();
        for line in section(&self.text, DECISIONS).lines() {
            let text = line.trim();
            match (items.last_mut(), item(text)) {
                (_, Some(text)) => items.push(text.to_owned()),
                // A long item goes on in the next line.
                (Some(last), None) if line.starts_with(' ') && !text.is_empty() => {
                    last.extend([" ", text]);
                }
                (_, None) => items.extend((!text.is_empty()).then(|| text.to_owned())),
            }
        }
        items.retain(|item| !item.trim_end_matches('.').eq_ignore_ascii_case("none"));
        items
    }
}

/// The text below `heading` up to the next heading; empty without that heading.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let Some((_, rest)) = text.split_once(heading) else {
        return "";
    };
    let is_heading = |line: &str| line.starts_with("**") && line.contains(":**");
    let mut lines = rest.match_indices('\n').map(|(at, _)| at + 1);
    let end = lines.find(|&start| is_heading(rest[start..].lines().next().unwrap_or_default()));
    rest[..end.unwrap_or(rest.len())].trim()
}

/// The text of a line that is an item of a list.
fn item(line: &str) -> Option<&str> {
    let bullet = ["- ", "* ", "+ "];
    let numbered = || {
        let (number, text) = line.split_once(". ")?;
        (!number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())).then_some(text)
    };
    bullet
        .iter()
        .find_map(|bullet| line.strip_prefix(bullet))
        .or_else(numbered)
        .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::super::Facts;
    use super::*;

    fn artifact(text: &str) -> Artifact {
        Artifact::from_agent_message(text)
    }

    #[test]
    fn parts_are_those_below_their_headings() {
        let artifact = artifact(
            "**What was done:** The parser reads\nboth words.\n\n**Files changed:**\n- `a.rs`\n\n**Decisions:**\n- Kept the old\n  name\n2. **Bold:** no heading inside an item\nNo list\n\n**Outputs:**\n- `n`: 3\n",
        );
        assert_eq!(artifact.summary(), "The parser reads\nboth words.");
        assert_eq!(
            artifact.decisions(),
            [
                "Kept the old name",
                "**Bold:** no heading inside an item",
                "No list"
            ]
        );
    }

    #[test]
    fn missing_parts_are_empty() {
        for text in [
            "Only words.",
            "**Decisions:**",
            "**Decisions:**\nNone.",
            "**Decisions:** none",
        ] {
            assert_eq!(artifact(text).decisions(), [""; 0], "{text}");
        }
        assert_eq!(artifact("Only words.").summary(), "Only words.");
        assert_eq!(Artifact::default().summary(), "");
        let facts = Artifact::from_facts(Facts {
            done: "`make` ended with exit code 0.".to_owned(),
            ..Facts::default()
        });
        assert_eq!(facts.summary(), "`make` ended with exit code 0.");
        assert_eq!(facts.decisions(), [""; 0]);
    }
}
