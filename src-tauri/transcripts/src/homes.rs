//! Where agents keep their histories on this machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::Agent;

/// The folders and files that hold histories. They need not exist.
#[derive(Debug, Clone, Default)]
pub struct Homes {
    /// Each with the agent it belongs to. An agent may have several.
    pub roots: Vec<(Agent, PathBuf)>,
}

impl Homes {
    /// The usual places below `home`, and those that `variable` names in their stead.
    ///
    /// `CLAUDE_CONFIG_DIR` may hold several folders, separated by commas. Sources: the agents' documentation, and
    /// what their releases of 2026 were seen to do.
    #[must_use]
    pub fn found(home: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let named = |name: &str| variable(name).filter(|value| !value.is_empty());
        let below = |name: &str, usual: PathBuf| named(name).map_or(usual, PathBuf::from);
        let data = below("XDG_DATA_HOME", home.join(".local/share"));
        let claude = match named("CLAUDE_CONFIG_DIR") {
            Some(folders) => folders
                .to_string_lossy()
                .split(',')
                .map(|folder| PathBuf::from(folder.trim()))
                .collect::<Vec<_>>(),
            None => vec![
                home.join(".claude"),
                below("XDG_CONFIG_HOME", home.join(".config")).join("claude"),
            ],
        };
        let codex = below("CODEX_HOME", home.join(".codex"));
        let pi = below("PI_CODING_AGENT_DIR", home.join(".pi/agent"));
        let mut roots: Vec<_> = claude
            .into_iter()
            .map(|home| (Agent::Claude, home.join("projects")))
            .collect();
        roots.push((Agent::Codex, codex.join("sessions")));
        roots.push((Agent::Codex, codex.join("archived_sessions")));
        roots.push((
            Agent::Gemini,
            below("GEMINI_CLI_HOME", home.to_path_buf()).join(".gemini/tmp"),
        ));
        roots.push((Agent::Opencode, data.join("opencode")));
        roots.push((Agent::Pi, pi.join("sessions")));
        Self { roots }
    }

    /// The places of the person who runs this process.
    #[must_use]
    pub fn of_this_process() -> Self {
        match std::env::home_dir() {
            Some(home) => Self::found(&home, |name| std::env::var_os(name)),
            None => Self::default(),
        }
    }
}
