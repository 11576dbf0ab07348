//! What a node receives from its parents: one document, one section a parent.
//!
//! The prompt of an agent, the file behind `BATON_CONTEXT` and the window's view of an edge are made here, so that
//! what a person sees is what a child gets.

use crate::Artifact;

/// The most of the document that a prompt holds, in bytes (product D7). The rest is read from the file.
pub const INLINE_LIMIT: usize = 50 * 1024;

/// What one parent hands on.
#[derive(Debug, Clone, Copy)]
pub struct HandedOn<'a> {
    /// The parent's title.
    pub title: &'a str,
    /// Its handoff, if it left one.
    pub artifact: Option<&'a Artifact>,
}

impl HandedOn<'_> {
    /// The section of the document, with its heading. A title cannot forge another heading.
    #[must_use]
    pub fn section(&self) -> String {
        let text = self.artifact.map_or("No handoff: the node was skipped or left none.", |left| left.text.as_str());
        format!("## {}\n\n{text}\n\n", self.title.replace('\n', " "))
    }

    /// What stands for the section when there is no room for it: where it is.
    fn reference(&self, file: &str) -> String {
        let bytes = self.artifact.map_or(0, |left| left.text.len());
        let title = self.title.replace('\n', " ");
        format!(
            "## {title}\n\nThis handoff has {bytes} bytes. Read it in {file}, below the heading \"## {title}\".\n\n"
        )
    }
}

/// The whole document: the content of `BATON_CONTEXT`.
#[must_use]
pub fn document<'a>(parents: impl IntoIterator<Item = HandedOn<'a>>) -> String {
    parents.into_iter().map(|parent| parent.section()).collect()
}

/// The document as a prompt holds it: sections for which there is no room any more are referred to in `file`, which
/// holds them all.
#[must_use]
pub fn inline<'a>(parents: impl IntoIterator<Item = HandedOn<'a>>, file: &str) -> String {
    inline_sections(parents, file).concat()
}

/// The sections of [`inline`], one a parent.
#[must_use]
pub fn inline_sections<'a>(parents: impl IntoIterator<Item = HandedOn<'a>>, file: &str) -> Vec<String> {
    let mut room = INLINE_LIMIT;
    let place = |parent: HandedOn<'_>| {
        let section = parent.section();
        let section = if section.len() <= room { section } else { parent.reference(file) };
        room = room.saturating_sub(section.len());
        section
    };
    parents.into_iter().map(place).collect()
}

/// About how many tokens `text` has: four characters of ASCII each, or one other character.
///
/// An estimate. Tokenizers differ from model to model, and those of most agents are not public; for English and
/// code this is within a fifth of the public ones, for other scripts it is on the high side.
#[must_use]
pub fn about_tokens(text: &str) -> u32 {
    let (ascii, other) = text.chars().fold((0_u64, 0_u64), |(ascii, other), c| match c.is_ascii() {
        true => (ascii + 1, other),
        false => (ascii, other + 1),
    });
    u32::try_from(ascii.div_ceil(4) + other).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(bytes: usize) -> Artifact {
        Artifact { text: "x".repeat(bytes), ..Artifact::default() }
    }

    #[test]
    fn a_title_cannot_forge_a_heading() {
        let parent = HandedOn { title: "A\n# B", artifact: None };
        assert_eq!(document([parent]).lines().next(), Some("## A # B"));
    }

    #[test]
    fn what_a_prompt_has_no_room_for_is_referred_to_and_the_rest_stays() {
        let (small, large) = (left(100), left(INLINE_LIMIT));
        let parents = || {
            let of = |title, artifact| HandedOn { title, artifact: Some(artifact) };
            [of("First", &small), of("Large", &large), of("Last", &small)]
        };
        let inline = inline(parents(), "/s/context.md");
        assert!(inline.len() < 1000, "the large one is not in it");
        assert!(
            inline.contains("This handoff has 51200 bytes. Read it in /s/context.md, below the heading \"## Large\".")
        );
        assert_eq!(inline.matches(&"x".repeat(100)).count(), 2, "the small ones are, also the one after it");
        assert!(document(parents()).contains(&large.text), "the file holds everything");
    }

    #[test]
    fn tokens_are_estimated_by_script() {
        assert_eq!(["", "word", "words", "äöü", "漢字"].map(about_tokens), [0, 1, 2, 3, 2]);
    }
}
