//! The files that a session's output mentions: confined to the session's directories, read in
//! parts of bounded size.

mod canonical_file;
mod file_part;
mod raw_output;
mod session_directories;
mod session_file;

pub use file_part::FileExcerpt;
pub use raw_output::{RawOutput, open_raw_output, raw_output_path};
pub use session_file::{FileContent, LocatedFile, SessionFile, locate, read, session_directory};
