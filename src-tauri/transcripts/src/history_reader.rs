//! How the histories of each agent are opened and read: one line per agent in `READERS`.
//!
//! An agent that is not listed still has its sessions in the list, by file name and date, and its
//! timelines, by the format of its [`HistoryLayout`](baton_agents::HistoryLayout). A reader adds
//! statistics and search.

use std::fs::File;
use std::io::{self, Seek as _, Write};
use std::path::Path;

use crate::history::line::{self, Unreadable};
use crate::history::search_text::SearchText;
use crate::history::{TranscriptStats, claude, codex, gemini, opencode, pi};
use crate::source::{self, DiscoveredSources};
use crate::{Agent, normalize};

const READERS: &[(&str, HistoryReader)] = &[
    (
        "claude",
        reader(claude::update_stats, claude::collect_text).skipping(claude::is_answer),
    ),
    (
        "codex",
        reader(codex::update_stats, codex::collect_text).skipping(codex::is_answer),
    ),
    (
        "gemini",
        reader(gemini::update_stats, gemini::collect_text)
            .converting(normalize::gemini::write_lines),
    ),
    (
        "opencode",
        reader(opencode::update_stats, opencode::collect_text)
            .converting(normalize::opencode::write_lines)
            .listing(normalize::opencode::find),
    ),
    ("pi", reader(pi::update_stats, pi::collect_text)),
];

/// Shorter lines are parsed faster than they are classified.
const MIN_SKIPPABLE_BYTES: usize = 2 * 1024;

type UpdateStats = fn(&[u8], &mut TranscriptStats) -> Result<(), serde_json::Error>;
type CollectText = fn(&[u8], &mut SearchText) -> Result<(), serde_json::Error>;
type WriteLines = fn(&Path, &mut dyn Write) -> io::Result<()>;
type ListSessions = fn(Agent, &Path, &mut DiscoveredSources);

/// Opens and reads the histories of one agent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HistoryReader {
    update_stats: UpdateStats,
    collect_text: CollectText,
    is_tool_answer: fn(&[u8]) -> bool,
    /// Converts a history to lines. `None`: its file holds lines already, and only grows.
    write_lines: Option<WriteLines>,
    /// Lists the sessions of a database.
    list_sessions: Option<ListSessions>,
}

const fn reader(update_stats: UpdateStats, collect_text: CollectText) -> HistoryReader {
    HistoryReader {
        update_stats,
        collect_text,
        is_tool_answer: |_| false,
        write_lines: None,
        list_sessions: None,
    }
}

impl HistoryReader {
    /// The reader of an agent's histories.
    pub(crate) fn of(agent: Agent) -> Self {
        let mut readers = READERS.iter();
        let found = readers.find(|(name, _)| *name == agent.name());
        found.map_or(reader(|_, _| Ok(()), |_, _| Ok(())), |(_, reader)| *reader)
    }

    /// Skips tool results that `is_tool_answer` recognizes without parsing them.
    const fn skipping(self, is_tool_answer: fn(&[u8]) -> bool) -> Self {
        Self {
            is_tool_answer,
            ..self
        }
    }

    const fn converting(self, write_lines: WriteLines) -> Self {
        Self {
            write_lines: Some(write_lines),
            ..self
        }
    }

    const fn listing(self, list_sessions: ListSessions) -> Self {
        Self {
            list_sessions: Some(list_sessions),
            ..self
        }
    }

    /// Whether the agent's files only grow, line by line.
    pub(crate) fn is_append_only(self) -> bool {
        self.write_lines.is_none()
    }

    /// The lines of a source, from their beginning: its file, or an unnamed temporary file with the
    /// converted lines.
    pub(crate) fn open_lines(self, path: &Path) -> io::Result<File> {
        let Some(write_lines) = self.write_lines else {
            return source::open(path);
        };
        let mut lines = io::BufWriter::new(tempfile::tempfile()?);
        write_lines(path, &mut lines)?;
        let mut file = lines.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(file)
    }

    /// Adds the sessions of a database.
    pub(crate) fn list_sessions(
        self,
        agent: Agent,
        database: &Path,
        found: &mut DiscoveredSources,
    ) {
        if let Some(list) = self.list_sessions {
            list(agent, database, found);
        }
    }

    /// Adds one line to the statistics.
    pub(crate) fn update_stats(
        self,
        line: &[u8],
        stats: &mut TranscriptStats,
    ) -> Result<(), Unreadable> {
        line::for_each_record(line, &mut |record| (self.update_stats)(record, stats))
    }

    /// Whether a line is certain to change nothing in the statistics but the time of the last
    /// record. That is true of tool results, which are most of the bytes in a history.
    pub(crate) fn affects_only_time(self, line: &[u8]) -> bool {
        line.len() > MIN_SKIPPABLE_BYTES && (self.is_tool_answer)(line)
    }

    /// Collects the searchable text of one line. A line that cannot be read has none; the
    /// statistics count it.
    pub(crate) fn collect_text(self, line: &[u8], search_text: &mut SearchText) {
        let _counted =
            line::for_each_record(line, &mut |record| (self.collect_text)(record, search_text));
    }
}

/// The searchable text of one line.
#[must_use]
pub fn searchable_text(agent: Agent, line: &[u8]) -> String {
    let mut search_text = SearchText::default();
    HistoryReader::of(agent).collect_text(line, &mut search_text);
    search_text.text().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_with_histories_has_a_reader() {
        for agent in Agent::all() {
            assert!(
                READERS.iter().any(|(name, _)| *name == agent.name()),
                "{agent}"
            );
        }
    }
}
