//! What the app asks a keeper to run: the content of `launch.json`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use baton_secrets::Secrets;
use serde::{Deserialize, Serialize};

use crate::input::Input;
use crate::sandbox::Sandbox;
use crate::{folder, session_file};

/// The environment variable that identifies all processes of a session, even outside of the process
/// tree.
pub const MARK_VARIABLE: &str = "BATON_SESSION_MARK";

/// One program to run, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Launch {
    /// The program and its arguments. A program name without a slash is searched on `PATH` of
    /// `env`.
    pub argv: Vec<String>,
    /// The working directory of the program.
    pub cwd: PathBuf,
    /// The whole environment of the program; nothing is inherited. The keeper adds
    /// [`MARK_VARIABLE`].
    pub env: BTreeMap<String, String>,
    /// The attempt's token, the value of [`MARK_VARIABLE`].
    pub mark: String,
    /// What the program's stdin is connected to.
    #[serde(default)]
    pub stdin: Stdin,
    /// Messages that are handled as if a client had sent them right at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_input: Vec<Input>,
    /// The time limit in milliseconds, not counting time in which the machine is suspended.
    #[serde(default)]
    pub timeout_ms: Option<u64>,
    /// The milliseconds between SIGTERM and SIGKILL.
    #[serde(default = "default_grace")]
    pub grace_ms: u64,
    /// The restrictions for the program; `None` runs it without a sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox>,
}

/// What the program's stdin is connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Stdin {
    /// `/dev/null`: the program reads nothing.
    #[default]
    Null,
    /// A pipe that stays open until a message closes it or the session ends.
    Pipe,
}

/// Why `launch.json` could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The file could not be read or written.
    #[error("launch.json can't be read or written")]
    Io(#[from] io::Error),
    /// The file does not contain a launch.
    #[error("launch.json is damaged")]
    Json(#[from] serde_json::Error),
}

impl Launch {
    /// Writes `launch.json` into an existing folder. Fails if it exists; only the user can read it,
    /// since the environment may contain secrets.
    pub fn write(&self, folder: &Path) -> Result<(), LaunchError> {
        let mut text = serde_json::to_vec(self)?;
        text.push(b'\n');
        Ok(folder::create_new(folder.join(folder::LAUNCH))?.write_all(&text)?)
    }

    /// Rewrites `launch.json` of the current folder without secrets in its environment, arguments
    /// and first messages. Does nothing if there are none.
    pub(crate) fn redact(&self, secrets: &Secrets) -> Result<(), LaunchError> {
        let mut kept = self.clone();
        let mut any = false;
        let messages = kept.first_input.iter_mut().filter_map(|input| match input {
            Input::Text { text, .. } => Some(text),
            Input::Close { .. } => None,
        });
        for text in kept.env.values_mut().chain(&mut kept.argv).chain(messages) {
            if let Cow::Owned(masked) = secrets.mask_text(text) {
                (*text, any) = (masked, true);
            }
        }
        if !any {
            return Ok(());
        }
        let mut text = serde_json::to_vec(&kept)?;
        text.push(b'\n');
        let beside = Path::new(folder::LAUNCH_TEMP);
        folder::create_new(beside)?.write_all(&text)?;
        Ok(std::fs::rename(beside, folder::LAUNCH)?)
    }

    /// Reads the `launch.json` of a session folder.
    pub fn read(folder: &Path) -> Result<Launch, LaunchError> {
        Ok(serde_json::from_slice(&session_file::read(
            &folder.join(folder::LAUNCH),
        )?)?)
    }
}

fn default_grace() -> u64 {
    3000
}
