//! Finds, lists, searches and reads the histories that agents keep themselves.
//!
//! The agents' files are the source of truth and are never written. [`Library`] keeps an index in
//! a file of its own, which can be deleted at any time and is rebuilt. Problems are reported with
//! the transcript they belong to, and an unreadable file never hides others.
//!
//! - `agent`, [`history_locations`]: the agents and the folders of their histories, from their
//!   adapters in `baton-agents`.
//! - [`history_reader`]: one line per agent that registers how its histories are opened and read.
//!   [`history`]: statistics and searchable text of each agent's records. `normalize`: conversion
//!   of histories that are not files of lines.
//! - [`index`]: the database. [`library`]: the thread that keeps it up to date.
//!
//! Timelines of transcripts are built by `baton-agents`, as for sessions that Baton runs.

pub mod agent;
pub(crate) mod discovery;
pub mod error;
pub(crate) mod excerpt;
pub mod history;
pub mod history_locations;
pub mod history_reader;
pub mod index;
pub mod library;
pub(crate) mod line_reader;
pub(crate) mod normalize;
pub mod session_file;
pub(crate) mod source;
pub mod transcript_reader;

pub use agent::Agent;
pub use error::TranscriptsError;
pub use excerpt::ExcerptPiece;
pub use history_locations::HistoryLocations;
pub use history_reader::searchable_text;
pub use index::list::{Filter, Page, Pagination, ProjectRow, Sort, TranscriptRow};
pub use index::search::{Excerpt, Hit, Hits};
pub use library::{Library, Progress};
pub use session_file::SessionFile;
pub use transcript_reader::TranscriptReader;
