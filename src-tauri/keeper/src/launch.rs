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

/// The environment variable by which every process of a session can be found, wherever it has moved.
pub const MARK_VARIABLE: &str = "BATON_SESSION_MARK";

/// One program to run, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Launch {
    /// The program and its arguments. A program without a slash is looked up on `PATH` of `env`.
    pub argv: Vec<String>,
    /// The folder in which the program starts.
    pub cwd: PathBuf,
    /// The whole environment of the program; nothing is inherited. The keeper adds [`MARK_VARIABLE`].
    pub env: BTreeMap<String, String>,
    /// The attempt's token, the value of [`MARK_VARIABLE`].
    pub mark: String,
    /// Where the program's stdin comes from.
    #[serde(default)]
    pub stdin: Stdin,
    /// Messages that the keeper treats as if a client had sent them right at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_input: Vec<Input>,
    /// Milliseconds (of a clock that stands still while the machine is suspended) after which the session is ended.
    #[serde(default)]
    pub timeout_ms: Option<u64>,
    /// Milliseconds between SIGTERM and SIGKILL.
    #[serde(default = "default_grace")]
    pub grace_ms: u64,
    /// What the program may not reach; `None` for one that may reach all that its user may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox>,
}

/// Where the program's stdin comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Stdin {
    /// /dev/null: the program reads nothing.
    #[default]
    Null,
    /// A pipe that stays open until a message closes it or the session is ended.
    Pipe,
}

/// Why `launch.json` could not be written or understood.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The file could not be read or written.
    #[error("reach launch.json")]
    Io(#[from] io::Error),
    /// The file is not a launch.
    #[error("understand launch.json")]
    Json(#[from] serde_json::Error),
}

impl Launch {
    /// Writes `launch.json` into an existing folder. It must not be there yet; it is readable by the user only, as the
    /// environment may hold secrets.
    pub fn write(&self, folder: &Path) -> Result<(), LaunchError> {
        let mut text = serde_json::to_vec(self)?;
        text.push(b'\n');
        Ok(folder::create_new(folder.join(folder::LAUNCH))?.write_all(&text)?)
    }

    /// Rewrites `launch.json` of the current folder without secrets in its environment, arguments and first messages.
    /// Nothing is done when there are none.
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
