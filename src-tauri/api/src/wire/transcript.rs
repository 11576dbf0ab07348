//! Transcripts: the agents' own histories, listed, searched, and read.

use baton_agents::Usage;
use baton_model::{NodeId, PlanId, RunId, SessionId, Timestamp};

use super::wire;

wire! {
    /// References a transcript by its id.
    pub struct TranscriptRef {
        /// `<agent>:<the agent's own id>`.
        pub id: String,
    }
    /// Selects transcripts, their order, and a page of the list.
    #[derive(Default)]
    pub struct TranscriptsFilter {
        /// Only transcripts of this agent.
        pub agent: Option<String>,
        /// Only transcripts with this working directory.
        pub project: Option<String>,
        /// Only transcripts that a person starred.
        pub starred: Option<bool>,
        /// Only transcripts with this tag.
        pub tag: Option<String>,
        /// True: only transcripts that belong to a node; false: only others.
        pub linked: Option<bool>,
        /// Only transcripts whose title, project, branch, or id contains this, ignoring case. To
        /// search the messages, use the search.
        pub text: Option<String>,
        /// Order; latest first if omitted. Ignored by the search.
        pub sort: Option<TranscriptsSort>,
        /// Number of rows to skip. Ignored by the search.
        pub offset: Option<u32>,
        /// Maximum number of rows; 100 if omitted. Ignored by the search.
        pub limit: Option<u32>,
    }
    /// A page of the list of transcripts.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TranscriptsPage {
        /// Number of transcripts that match the filter.
        pub total: u32,
        pub rows: Vec<TranscriptRow>,
        pub indexing: TranscriptsIndexing,
    }
    /// A transcript as shown in lists. Everything that the agent wrote is untrusted text.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TranscriptRow {
        /// `<agent>:<native id>`; stars, tags, and notes are stored under it.
        pub id: String,
        pub agent: String,
        /// The agent's name for people.
        pub agent_title: String,
        /// One letter for the agent's icon.
        pub agent_mark: String,
        /// The agent's own id.
        pub native_id: String,
        /// The agent's working directory, according to its records.
        pub project: Option<String>,
        /// The agent's title for it, or the beginning of the first prompt.
        pub title: Option<String>,
        /// Time of the first record.
        pub started_at: Option<Timestamp>,
        /// Time of the last record.
        pub ended_at: Option<Timestamp>,
        /// Prompts and answers, without tool results.
        pub messages: u32,
        /// Unknown usage is null, not 0.
        pub usage: Usage,
        /// The cost is computed from a price table, because the agent doesn't report it.
        pub usd_is_estimate: bool,
        /// The model that answered last.
        pub model: Option<String>,
        /// The branch of the working directory.
        pub branch: Option<String>,
        /// The version of the agent that wrote it.
        pub version: Option<String>,
        /// Size of its files in bytes, including subagents.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub bytes: u64,
        /// Number of subagent transcripts included.
        pub helpers: u32,
        /// Path of the transcript file.
        pub path: String,
        /// The node it belongs to.
        pub link: Option<TranscriptLink>,
        /// What couldn't be read, if anything.
        pub trouble: Option<String>,
    }
    /// The session that a transcript belongs to.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TranscriptLink {
        pub plan: PlanId,
        pub run: RunId,
        pub node: NodeId,
        pub session: SessionId,
    }
    /// Progress of the transcript index.
    #[derive(Default)]
    pub struct TranscriptsIndexing {
        /// Files are being read for the list, which is not complete yet.
        pub listing: bool,
        /// Text is being read for the search, which may miss matches.
        pub reading: bool,
        /// Bytes of text read so far in this pass, of `bytes_total`.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub bytes_done: u64,
        /// Bytes to read in this pass.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub bytes_total: u64,
        /// Folders and files that couldn't be read, as sentences; the first twenty.
        pub trouble: Vec<String>,
    }
    /// A directory that agents worked in.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TranscriptProject {
        /// `None` for transcripts whose records mention no directory.
        pub project: Option<String>,
        pub transcripts: u32,
        /// Time of the latest activity.
        pub latest: Option<Timestamp>,
    }
    /// Searches messages in transcripts.
    pub struct TranscriptsSearch {
        /// Words that must all occur. `"…"` matches a phrase, `wor*` a prefix.
        pub text: String,
        /// Which transcripts to search. Its order and page are ignored.
        pub filter: TranscriptsFilter,
        /// Number of results to skip.
        pub offset: u32,
        /// Maximum number of transcripts.
        pub limit: u32,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TranscriptHits {
        /// Number of matching transcripts; a lower bound if `more` is set.
        pub total: u32,
        /// The requested page, latest first.
        pub hits: Vec<TranscriptHit>,
        /// Only this many bytes at the beginning of each tool's output are searched.
        pub tool_output_bytes: u32,
        pub indexing: TranscriptsIndexing,
    }
    /// A transcript that matches.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TranscriptHit {
        pub row: TranscriptRow,
        /// Number of matching records.
        pub records: u32,
        pub excerpts: Vec<TranscriptExcerpt>,
    }
    /// A match with its surroundings.
    pub struct TranscriptExcerpt {
        /// Byte offset of the record, where `transcript_timeline` can start. `None` if a subagent
        /// wrote it.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub at: Option<u64>,
        /// The text around the match, in consecutive pieces.
        pub pieces: Vec<ExcerptPiece>,
    }
    /// A piece of an excerpt.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ExcerptPiece {
        pub text: String,
        /// The piece is a match.
        pub found: bool,
    }
    /// Asks for part of a transcript's timeline.
    pub struct TranscriptRange {
        /// `<agent>:<the agent's own id>`, as in a row of the list.
        pub id: String,
        /// Index of the first entry, from 0; a negative one counts from the end.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub from: i64,
        /// Maximum number of entries.
        pub limit: u32,
        /// Only entries that changed after this revision; `None` for the whole range.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub since: Option<u64>,
        /// Count `from` from the entry whose record is at this byte offset.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub at: Option<u64>,
        /// Counts in the end of the timeline, which is there at once even if the rest isn't read
        /// yet: its first entry is 0. If all is read, a negative `from` gets the usual numbers.
        /// Histories of agents that replace records, such as Gemini and opencode, are read
        /// completely first, and have the usual numbers.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub of_end: bool,
    }
    /// References an entry of a transcript's timeline.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TranscriptEntryRef {
        pub id: String,
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
        /// `seq` counts in the end of the timeline, as in [`TranscriptRange`].
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub of_end: bool,
    }
    /// Searches one transcript's timeline.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TranscriptFind {
        pub id: String,
        /// The text to find, ignoring case.
        pub text: String,
        /// Maximum number of matches.
        pub limit: u32,
    }
}

/// Order of transcripts in lists. Transcripts with an unknown value come last.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TranscriptsSort {
    #[default]
    Latest,
    /// By activity, earliest first.
    Oldest,
    /// Longest time between first and last record first.
    Longest,
    Messages,
    Tokens,
    Cost,
    Size,
    Title,
}
