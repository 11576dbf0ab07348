//! The Markdown summary that a session writes to the file in `BATON_SUMMARY`, for people.
//!
//! The program writes to one file; when the session has ended, Baton masks the text and stores it
//! in another, so that no secret stays in the folder. The text is untrusted.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use baton_agents::plain_text::strip_terminal_codes;
use baton_keeper::session_file;
use baton_secrets::Secrets;
use serde::{Deserialize, Serialize};

use crate::session_folder::{SUMMARY_FILE, SUMMARY_RECORD};

/// The maximum number of bytes of a summary. The rest is cut.
pub const SUMMARY_LIMIT: usize = 1024 * 1024;
/// How many bytes after the limit are read, so that a secret that crosses it is masked as a whole.
const MASKING_MARGIN: usize = 64 * 1024;
/// The maximum size of a record in bytes: JSON takes up to six bytes for one of the text.
const RECORD_LIMIT: u64 = 8 * SUMMARY_LIMIT as u64;

/// What a session wrote to its summary.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeSummary {
    /// The text, without secrets and terminal codes; at most [`SUMMARY_LIMIT`] bytes.
    pub markdown: String,
    /// The size of the file that the session wrote.
    pub bytes: u64,
    /// Whether the text is only the beginning.
    pub cut: bool,
}

/// Stores the summary of an ended session without secrets, and removes the file that its program
/// wrote. Does nothing the second time.
pub(crate) fn store_summary(folder: &Path, secrets: &Secrets) -> io::Result<()> {
    let written = folder.join(SUMMARY_FILE);
    let Some(file) = open_if_exists(&written)? else {
        return Ok(());
    };
    let bytes = file.metadata()?.len();
    if bytes > 0 {
        let summary = read_written(file, bytes, secrets)?;
        session_file::write(&folder.join(SUMMARY_RECORD), serde_json::to_vec(&summary)?)?;
    }
    fs::remove_file(written)
}

/// Returns the summary of the session in `folder`; `None` if it wrote none, or has not ended.
pub fn read_summary(folder: &Path) -> io::Result<Option<NodeSummary>> {
    let Some(file) = open_if_exists(&folder.join(SUMMARY_RECORD))? else {
        return Ok(None);
    };
    let mut text = Vec::new();
    file.take(RECORD_LIMIT).read_to_end(&mut text)?;
    let mut summary: NodeSummary = serde_json::from_slice(&text)?;
    // Without a sandbox, the program could have written the record itself.
    summary.cut |= cut_to_limit(&mut summary.markdown);
    Ok(Some(summary))
}

fn open_if_exists(path: &Path) -> io::Result<Option<File>> {
    match session_file::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn read_written(file: File, bytes: u64, secrets: &Secrets) -> io::Result<NodeSummary> {
    let mut head = Vec::new();
    file.take((SUMMARY_LIMIT + MASKING_MARGIN) as u64)
        .read_to_end(&mut head)?;
    // A terminal code within a secret would hide it.
    let plain = strip_terminal_codes(&head);
    let mut markdown = secrets.mask_text(&plain).into_owned();
    let is_partial = bytes > head.len() as u64;
    let cut = cut_to_limit(&mut markdown) || is_partial;
    Ok(NodeSummary {
        markdown,
        bytes,
        cut,
    })
}

/// Cuts `text` to the limit, between two characters. Returns whether anything was cut.
fn cut_to_limit(text: &mut String) -> bool {
    let is_too_long = text.len() > SUMMARY_LIMIT;
    text.truncate(text.floor_char_boundary(SUMMARY_LIMIT));
    is_too_long
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const PASSWORD: &str = "correct-horse-battery";

    fn stored(written: &[u8]) -> Option<NodeSummary> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join(SUMMARY_FILE), written).expect("a writable folder");
        let secrets = Secrets::from_environment([("DB_PASSWORD", PASSWORD)]);
        store_summary(folder.path(), &secrets).expect("a readable folder");
        assert!(!folder.path().join(SUMMARY_FILE).exists());
        // A process that finds the session ended a second time changes nothing.
        store_summary(folder.path(), &secrets).expect("a readable folder");
        read_summary(folder.path()).expect("a readable folder")
    }

    #[test]
    fn summary_is_plain_text_without_secrets() {
        let cases: [(&[u8], &str); 6] = [
            (b"# Tests\n\n- 3 passed\n", "# Tests\n\n- 3 passed\n"),
            (b"one\r\ntwo\r\n", "one\ntwo\n"),
            (b"\x1b[31mred\x1b[0m\x07", "red"),
            (b"key correct-horse-battery", "key [secret]"),
            (b"key correct-\x1b[1mhorse-battery", "key [secret]"),
            (b"\xff\xfe caf\xc3\xa9", "\u{fffd}\u{fffd} caf\u{e9}"),
        ];
        for (written, markdown) in cases {
            let summary = stored(written).expect("a summary");
            assert_eq!(summary.markdown, markdown, "{written:?}");
            assert_eq!((summary.bytes, summary.cut), (written.len() as u64, false));
        }
        assert_eq!(stored(b""), None);
    }

    #[test]
    fn large_summary_is_cut_between_characters() {
        let just_fits = "x".repeat(SUMMARY_LIMIT);
        assert!(!stored(just_fits.as_bytes()).expect("a summary").cut);
        let too_long = format!("x{}", "é".repeat(SUMMARY_LIMIT));
        let summary = stored(too_long.as_bytes()).expect("a summary");
        assert_eq!(summary.markdown.len(), SUMMARY_LIMIT - 1);
        assert_eq!((summary.bytes, summary.cut), (too_long.len() as u64, true));
    }

    #[test]
    fn secret_across_the_limit_is_masked() {
        for before in SUMMARY_LIMIT - PASSWORD.len()..=SUMMARY_LIMIT {
            let text = format!("{}{PASSWORD}", "x\n".repeat(before / 2));
            let summary = stored(text.as_bytes()).expect("a summary");
            assert!(!summary.markdown.contains("correct"), "{before}");
        }
    }

    #[test]
    fn link_is_not_followed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let other = folder.path().join("other");
        fs::write(&other, "# hidden").expect("a writable folder");
        symlink(&other, folder.path().join(SUMMARY_FILE)).expect("a writable folder");
        let error = store_summary(folder.path(), &Secrets::known_patterns()).expect_err("refused");
        assert!(session_file::UnexpectedFile::is_in(&error), "{error}");
        assert_eq!(
            read_summary(folder.path()).expect("a readable folder"),
            None
        );
        symlink(&other, folder.path().join(SUMMARY_RECORD)).expect("a writable folder");
        let error = read_summary(folder.path()).expect_err("refused");
        assert!(session_file::UnexpectedFile::is_in(&error), "{error}");
    }

    #[test]
    fn missing_and_broken_files_are_not_a_summary() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        store_summary(folder.path(), &Secrets::known_patterns()).expect("a readable folder");
        assert_eq!(
            read_summary(folder.path()).expect("a readable folder"),
            None
        );
        fs::write(folder.path().join(SUMMARY_RECORD), "{").expect("a writable folder");
        assert!(read_summary(folder.path()).is_err());
    }
}
