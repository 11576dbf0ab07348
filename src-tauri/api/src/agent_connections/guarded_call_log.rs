//! Calls of guarded tools that agents made without a plan: one line of JSON each, in a file that is
//! replaced by a new one when it is large.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::agent_file_error::AgentFileError;
use super::config_file;
use crate::ApiError;
use crate::wire::GuardedCall;

const FILE: &str = "guarded-calls.jsonl";
/// The file before.
const EARLIER: &str = "guarded-calls.1.jsonl";
/// The size in bytes at which a new file begins.
const MAX_BYTES: u64 = 1024 * 1024;

/// The calls in a data directory.
#[derive(Debug, Clone)]
pub struct GuardedCallLog {
    folder: PathBuf,
}

impl GuardedCallLog {
    /// The log in the data directory `data`.
    #[must_use]
    pub fn new(data: &Path) -> Self {
        Self {
            folder: data.to_owned(),
        }
    }

    /// Adds a call. Agents call several tools at once: each line is written in one piece.
    ///
    /// # Errors
    ///
    /// The file can't be written.
    pub fn add(&self, call: &GuardedCall) -> Result<(), ApiError> {
        let path = self.folder.join(FILE);
        let written = self.append(&path, call);
        Ok(written.map_err(|source| AgentFileError::Write { path, source })?)
    }

    fn append(&self, path: &Path, call: &GuardedCall) -> io::Result<()> {
        if fs::metadata(path).is_ok_and(|found| found.len() > MAX_BYTES) {
            fs::rename(path, self.folder.join(EARLIER))?;
        }
        let mut line = serde_json::to_vec(call)?;
        line.push(b'\n');
        // What agents do is for the person alone, as all data of Baton.
        let mut options = OpenOptions::new();
        let mut file = options.append(true).create(true).mode(0o600).open(path)?;
        file.write_all(&line)
    }

    /// The latest calls, latest first. Lines that can't be read are left out.
    pub(crate) fn latest(&self, limit: usize) -> Result<Vec<GuardedCall>, AgentFileError> {
        let mut calls = Vec::new();
        for name in [FILE, EARLIER] {
            let text = config_file::read(&self.folder.join(name))?.unwrap_or_default();
            let lines = text.lines().rev();
            calls.extend(lines.filter_map(|line| serde_json::from_str(line).ok()));
        }
        calls.truncate(limit);
        Ok(calls)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use baton_model::Timestamp;

    use super::*;

    fn call(number: i64) -> GuardedCall {
        GuardedCall {
            at: Timestamp(number),
            agent: "claude".to_owned(),
            tool: "Bash".to_owned(),
            what: "x".repeat(1000),
            cwd: None,
            session: None,
            refused: false,
        }
    }

    #[test]
    fn latest_calls_come_first_and_the_files_stay_small() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = GuardedCallLog::new(folder.path());
        assert_eq!(log.latest(5).expect("readable"), []);
        for number in 0..3_000 {
            log.add(&call(number)).expect("written");
        }
        // At least one whole file is kept.
        let latest = log.latest(900).expect("readable");
        let times: Vec<_> = latest.iter().map(|call| call.at.0).collect();
        assert_eq!(times, (2_100..3_000).rev().collect::<Vec<_>>());
        for name in [FILE, EARLIER] {
            let found = fs::metadata(folder.path().join(name)).expect("a file");
            assert!(found.len() < MAX_BYTES + 10_000, "{found:?}");
            assert_eq!(found.permissions().mode() & 0o777, 0o600);
        }
        assert!(log.latest(9_999).expect("readable").len() < 3_000);
    }

    #[test]
    fn damaged_line_hides_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = GuardedCallLog::new(folder.path());
        log.add(&call(1)).expect("written");
        let mut text = fs::read_to_string(folder.path().join(FILE)).expect("text");
        text.push_str("{\"at\": \n");
        fs::write(folder.path().join(FILE), text).expect("written");
        log.add(&call(2)).expect("written");
        assert_eq!(log.latest(9).expect("readable"), [call(2), call(1)]);
    }
}
