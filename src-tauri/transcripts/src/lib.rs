//! The histories that agents keep themselves: found, listed, searched and read.
//!
//! Nothing here writes where an agent keeps its files, and nothing here is the truth: [`Library`] keeps an index
//! in a file of its own, which may be deleted at any time and is made anew. What cannot be read is said with the
//! transcript it belongs to; a file that nobody can read never hides the others.
//!
//! What a record means is said per agent in [`history`]; what the index keeps in [`index`]; who reads what and when
//! in [`library`]. What a line of a transcript looks like in a timeline is said by `baton-agents`, as for sessions
//! that Baton runs itself.

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
