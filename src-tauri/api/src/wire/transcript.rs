//! The agents' own histories: transcripts, where they are listed, searched and read.

use baton_agents::Usage;
use baton_model::{NodeId, PlanId, RunId, SessionId, Timestamp};

use super::wire;

wire! {
    /// Names a transcript.
    pub struct TranscriptRef {
        /// `<agent>:<the agent's own id>`.
        pub id: String,
    }
    /// Which transcripts, and which part of the list of them.
    #[derive(Default)]
    pub struct TranscriptsFilter {
        /// Of this agent only.
        pub agent: Option<String>,
        /// Of this working directory only.
        pub project: Option<String>,
        /// Only those that a person starred.
        pub starred: Option<bool>,
        /// Only those with this tag.
        pub tag: Option<String>,
        /// Only those that belong to a node, or only those that do not.
        pub linked: Option<bool>,
        /// Only those whose title, project, branch or id holds this, in any case. For what was said, search.
        pub text: Option<String>,
        /// In which order; the latest first when nothing is said. A search has its own.
        pub sort: Option<TranscriptsSort>,
        /// So many are passed over. A search has its own.
        pub offset: Option<u32>,
        /// At most so many, 100 when nothing is said. A search has its own.
        pub limit: Option<u32>,
    }
    /// A part of the list of transcripts.
    pub struct TranscriptsPage {
        /// How many the filter lets through.
        pub total: u32,
        /// The wanted part.
        pub rows: Vec<TranscriptRow>,
        /// How far the index is.
        pub indexing: TranscriptsIndexing,
    }
    /// A transcript in one line. Everything that the agent wrote is text from outside.
    pub struct TranscriptRow {
        /// `<agent>:<native id>`; stars, tags and notes are kept under it.
        pub id: String,
        /// Whose.
        pub agent: String,
        /// The agent's own id.
        pub native_id: String,
        /// The directory the agent worked in, as its records say.
        pub project: Option<String>,
        /// The agent's title for it, or the beginning of the first prompt.
        pub title: Option<String>,
        /// The first record's time.
        pub started_at: Option<Timestamp>,
        /// The last record's time.
        pub ended_at: Option<Timestamp>,
        /// Prompts and answers; tool results are not counted.
        pub messages: u32,
        /// What it used; unknown is null, never 0.
        pub usage: Usage,
        /// The price is computed from a table, because the agent does not tell one.
        pub usd_is_estimate: bool,
        /// The model that answered last.
        pub model: Option<String>,
        /// The branch of the working directory.
        pub branch: Option<String>,
        /// The agent's version.
        pub version: Option<String>,
        /// How long its files are, helper agents' included.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub bytes: u64,
        /// Transcripts of helper agents that are counted in.
        pub helpers: u32,
        /// Where it is kept.
        pub path: String,
        /// The node it belongs to.
        pub link: Option<TranscriptLink>,
        /// What could not be read of it.
        pub trouble: Option<String>,
    }
    /// Where a transcript belongs.
    pub struct TranscriptLink {
        /// The plan.
        pub plan: PlanId,
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
        /// The session.
        pub session: SessionId,
    }
    /// How far the index of transcripts is.
    #[derive(Default)]
    pub struct TranscriptsIndexing {
        /// Files are being read for the list; it is not complete.
        pub listing: bool,
        /// Text is being read for the search; it may miss something.
        pub reading: bool,
        /// Bytes of text read so far in this round, of `bytes_total`.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub bytes_done: u64,
        /// Bytes there are to read in this round.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub bytes_total: u64,
        /// Folders and files that could not be read, as sentences; the first twenty.
        pub trouble: Vec<String>,
    }
    /// A directory that agents worked in.
    pub struct TranscriptProject {
        /// The directory; none: the records name none.
        pub project: Option<String>,
        /// How many transcripts.
        pub transcripts: u32,
        /// When somebody worked there last.
        pub latest: Option<Timestamp>,
    }
    /// A search in what was said.
    pub struct TranscriptsSearch {
        /// Words; all have to be there. `"…"` asks for a phrase, `wor*` for a beginning.
        pub text: String,
        /// In which transcripts. Its own order and part are passed over.
        pub filter: TranscriptsFilter,
        /// So many are passed over.
        pub offset: u32,
        /// At most so many transcripts.
        pub limit: u32,
    }
    /// What a search found.
    pub struct TranscriptHits {
        /// How many transcripts hold the words; at least so many when `more`.
        pub total: u32,
        /// The wanted part, the latest first.
        pub hits: Vec<TranscriptHit>,
        /// Of each tool's output only so many bytes at its beginning are searched.
        pub tool_output_bytes: u32,
        /// How far the index is.
        pub indexing: TranscriptsIndexing,
    }
    /// A transcript that holds the words.
    pub struct TranscriptHit {
        /// Which.
        pub row: TranscriptRow,
        /// How many records hold them.
        pub records: u32,
        /// The first of the places.
        pub excerpts: Vec<TranscriptExcerpt>,
    }
    /// A place that holds the words.
    pub struct TranscriptExcerpt {
        /// The byte where its record stands; `transcript_timeline` opens there. None: a helper agent said it.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub at: Option<u64>,
        /// The text around the words, in pieces one after the other.
        pub pieces: Vec<ExcerptPiece>,
    }
    /// A piece of an excerpt.
    pub struct ExcerptPiece {
        /// The text.
        pub text: String,
        /// It is one of the words.
        pub found: bool,
    }
    /// A part of a transcript's timeline.
    pub struct TranscriptRange {
        /// The transcript.
        pub id: String,
        /// The first entry wanted, from 0; a negative one counts from the end.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub from: i64,
        /// At most so many.
        pub limit: u32,
        /// Only entries that changed after this revision; none: all of the range.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub since: Option<u64>,
        /// `from` counts from the entry whose record stands at this byte.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub at: Option<u64>,
    }
    /// Names an entry of a transcript's timeline.
    pub struct TranscriptEntryRef {
        /// The transcript.
        pub id: String,
        /// The entry's number.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub seq: u64,
    }
    /// A search in one transcript's timeline.
    pub struct TranscriptFind {
        /// The transcript.
        pub id: String,
        /// What to look for, in any case.
        pub text: String,
        /// At most so many.
        pub limit: u32,
    }
}

/// In which order transcripts are listed. Where a figure is not known, the transcript comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TranscriptsSort {
    /// What somebody worked on last comes first.
    #[default]
    Latest,
    /// What somebody worked on last comes last.
    Oldest,
    /// The longest time between first and last record comes first.
    Longest,
    /// The most messages come first.
    Messages,
    /// The most tokens come first.
    Tokens,
    /// The highest price comes first.
    Cost,
    /// The longest files come first.
    Size,
    /// By title.
    Title,
}
