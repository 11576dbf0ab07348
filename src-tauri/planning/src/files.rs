//! The files that a session's output mentions: confined to the session's directories, read in
//! parts of bounded size.

mod canonical_file;
mod file_part;
mod image_type;
mod session_directories;
mod session_file;
mod session_output;

pub use file_part::FileExcerpt;
pub use session_file::{FileContent, LocatedFile, SessionFile, locate, read, session_directory};
pub use session_output::{SessionOutput, open_output, output_path};
