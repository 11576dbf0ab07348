//! The real agents, for nodes of a plan that `baton` runs with the scripted model.

use std::path::{Path, PathBuf};
use std::process::Command;

use baton_tests::Shell;
use serde_json::json;

use crate::agent_session::program;
use crate::{agents_codex, agents_pi};

/// Environment variables.
pub(crate) type Variables = Vec<(&'static str, String)>;

/// Where to find an agent, and how to configure it for the scripted model.
pub(crate) struct Agent {
    pub(crate) name: &'static str,
    variable: &'static str,
    settings: fn(&Path, &str) -> Variables,
}

const AGENTS: &[Agent] = &[
    Agent {
        name: "claude",
        variable: "BATON_TEST_CLAUDE",
        settings: for_claude,
    },
    Agent {
        name: "codex",
        variable: "BATON_TEST_CODEX",
        settings: agents_codex::settings,
    },
    Agent {
        name: "gemini",
        variable: "BATON_TEST_GEMINI",
        settings: for_gemini,
    },
    Agent {
        name: "opencode",
        variable: "BATON_TEST_OPENCODE",
        settings: for_opencode,
    },
    Agent {
        name: "pi",
        variable: "BATON_TEST_PI",
        settings: agents_pi::settings,
    },
];

fn for_claude(_home: &Path, url: &str) -> Vec<(&'static str, String)> {
    let words = [
        ("ANTHROPIC_BASE_URL", url),
        ("ANTHROPIC_API_KEY", "sk-ant-scripted"),
        ("DISABLE_TELEMETRY", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("IS_SANDBOX", "1"),
        ("CLAUDE_CODE_MAX_RETRIES", "1"),
    ];
    words.map(|(name, value)| (name, value.to_owned())).to_vec()
}

fn for_gemini(home: &Path, url: &str) -> Vec<(&'static str, String)> {
    let folder = home.join(".gemini");
    std::fs::create_dir_all(&folder).expect("a folder");
    let settings = json!({"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false}});
    std::fs::write(folder.join("settings.json"), settings.to_string()).expect("a file");
    let words = [
        ("GOOGLE_GEMINI_BASE_URL", url),
        ("GEMINI_API_KEY", "scripted"),
        ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
    ];
    words.map(|(name, value)| (name, value.to_owned())).to_vec()
}

fn for_opencode(_home: &Path, url: &str) -> Vec<(&'static str, String)> {
    let options = json!({"baseURL": format!("{url}/v1"), "apiKey": "scripted"});
    let provider = json!({"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"small": {}, "model": {}}});
    let config = json!({"provider": {"scripted": provider}, "model": "scripted/model", "small_model": "scripted/small"});
    vec![
        ("OPENCODE_DISABLE_MODELS_FETCH", "1".to_owned()),
        ("OPENCODE_DISABLE_AUTOUPDATE", "1".to_owned()),
        ("OPENCODE_CONFIG_CONTENT", config.to_string()),
    ]
}

impl Agent {
    /// Configures the agent for the scripted model at `url`. Returns its program and variables.
    pub(crate) fn configure(&self, home: &Path, url: &str) -> (PathBuf, Variables) {
        let program = program(self.variable, self.name);
        (program, (self.settings)(home, url))
    }

    /// Returns `baton` with arguments, with the agent in its `PATH`, configured for the scripted
    /// model at `url`.
    pub(crate) fn baton(&self, shell: &Shell, url: &str, home: &Path, words: &[&str]) -> Command {
        let program = program(self.variable, self.name);
        let folder = program
            .parent()
            .expect("a program is in a folder")
            .display()
            .to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = shell.baton(words);
        command
            .env("PATH", format!("{folder}:{path}"))
            .env("HOME", home)
            .envs((self.settings)(home, url));
        command
    }
}

pub(crate) fn agent(name: &str) -> &'static Agent {
    AGENTS
        .iter()
        .find(|agent| agent.name == name)
        .expect("an agent")
}
