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
pub mod error;
pub(crate) mod excerpt;
pub mod history;
pub mod homes;
pub mod index;
pub(crate) mod layout;
pub mod library;
pub(crate) mod lines;
pub mod reading;
pub(crate) mod source;
pub mod whereabouts;

pub use agent::Agent;
pub use error::TranscriptsError;
pub use homes::Homes;
pub use index::list::{Filter, Page, Part, ProjectRow, Row, Sort};
pub use index::search::{Excerpt, Hit, Hits, Piece};
pub use library::{Library, Progress};
pub use reading::Reading;
pub use whereabouts::Whereabouts;
