//! The settings of coding agents: where they keep their MCP servers and skills, and how Baton is
//! added to them and removed.

mod entry_error;
mod hook_file;
mod json_entry;
mod json_hook;
mod toml_entry;
mod toml_hook;

use std::path::{Path, PathBuf};

pub use entry_error::EntryError;
use hook_file::{BEFORE_TOOL, HookFormat, PRE_TOOL_USE};
pub use hook_file::{GUARD_SUBCOMMAND, GuardMode, HookFile};

/// The name of Baton among the servers of an agent.
const SERVER: &str = "baton";

/// Where an agent keeps its MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Servers {
    /// JSON, below `mcpServers`.
    Json,
    /// JSON with the shape of opencode, below `mcp`.
    OpenCode,
    /// TOML, below `mcp_servers`.
    Toml,
}

/// An agent that Baton can be added to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSetup {
    /// As in `baton agents`.
    pub id: &'static str,
    /// The file with its servers; `None` if it has no MCP client and only reads the skill.
    pub config: Option<PathBuf>,
    servers: Servers,
    /// The file of its hooks; `None` if it runs no programs before tool calls.
    pub hooks: Option<HookFile>,
    /// The file of Baton's skill.
    pub skill: PathBuf,
    /// Exists where the agent was used before.
    pub folder: PathBuf,
}

/// How an agent starts Baton's tools.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ServerCommand {
    pub program: String,
    pub arguments: Vec<String>,
}

/// Reads an environment variable.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<PathBuf>;

/// All agents, with their files for a person whose home is `home`.
#[must_use]
pub fn agent_setups(home: &Path, variable: Environment<'_>) -> Vec<AgentSetup> {
    let shared_skill = skill_in(&home.join(".agents/skills"));
    let claude = variable("CLAUDE_CONFIG_DIR");
    let claude_folder = claude.clone().unwrap_or_else(|| home.join(".claude"));
    let codex = variable("CODEX_HOME").unwrap_or_else(|| home.join(".codex"));
    let gemini = home.join(".gemini");
    let settings = variable("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
    let opencode = settings.join("opencode");
    let setup = |id, config, servers, skill: &Path, folder: PathBuf| AgentSetup {
        id,
        config,
        servers,
        hooks: hooks_of(id, &folder),
        skill: skill.to_owned(),
        folder,
    };
    vec![
        setup(
            "claude",
            Some(
                claude
                    .unwrap_or_else(|| home.to_owned())
                    .join(".claude.json"),
            ),
            Servers::Json,
            &skill_in(&claude_folder.join("skills")),
            claude_folder.clone(),
        ),
        setup(
            "codex",
            Some(codex.join("config.toml")),
            Servers::Toml,
            &shared_skill,
            codex.clone(),
        ),
        setup(
            "gemini",
            Some(gemini.join("settings.json")),
            Servers::Json,
            &shared_skill,
            gemini.clone(),
        ),
        setup(
            "opencode",
            Some(opencode_config(&opencode)),
            Servers::OpenCode,
            &shared_skill,
            opencode.clone(),
        ),
        setup("pi", None, Servers::Json, &shared_skill, home.join(".pi")),
    ]
}

/// The hooks of an agent whose settings are in `folder`.
fn hooks_of(id: &str, folder: &Path) -> Option<HookFile> {
    let (name, event, format) = match id {
        "claude" => ("settings.json", PRE_TOOL_USE, HookFormat::Json),
        "codex" => ("config.toml", PRE_TOOL_USE, HookFormat::Toml),
        "gemini" => ("settings.json", BEFORE_TOOL, HookFormat::Json),
        _ => return None,
    };
    Some(HookFile {
        path: folder.join(name),
        event,
        format,
    })
}

fn skill_in(folder: &Path) -> PathBuf {
    folder.join(SERVER).join("SKILL.md")
}

/// opencode reads both names.
fn opencode_config(folder: &Path) -> PathBuf {
    let with_comments = folder.join("opencode.jsonc");
    match with_comments.is_file() {
        true => with_comments,
        false => folder.join("opencode.json"),
    }
}

impl AgentSetup {
    /// The text of its configuration with Baton's tools. Everything else stays as it is.
    ///
    /// # Errors
    ///
    /// The text can't be read, or has something else where the servers belong.
    pub fn with_baton(&self, text: &str, command: &ServerCommand) -> Result<String, EntryError> {
        match self.servers {
            Servers::Toml => toml_entry::with_entry(text, command),
            Servers::Json => json_entry::with_entry(text, "mcpServers", &command.to_json()),
            Servers::OpenCode => json_entry::with_entry(text, "mcp", &command.to_opencode()),
        }
    }

    /// The text without Baton's tools; the same text if they aren't in it.
    ///
    /// # Errors
    ///
    /// As for [`AgentSetup::with_baton`].
    pub fn without_baton(&self, text: &str) -> Result<String, EntryError> {
        match self.servers {
            Servers::Toml => toml_entry::without_entry(text),
            Servers::Json => json_entry::without_entry(text, "mcpServers"),
            Servers::OpenCode => json_entry::without_entry(text, "mcp"),
        }
    }

    /// Whether Baton's tools are in the text.
    ///
    /// # Errors
    ///
    /// As for [`AgentSetup::with_baton`].
    pub fn has_baton(&self, text: &str) -> Result<bool, EntryError> {
        Ok(self.without_baton(text)? != text)
    }
}

impl ServerCommand {
    fn to_json(&self) -> serde_json::Value {
        serde_json::json!({"type": "stdio", "command": self.program, "args": self.arguments})
    }

    fn to_opencode(&self) -> serde_json::Value {
        let program = std::iter::once(&self.program);
        let command: Vec<_> = program.chain(&self.arguments).collect();
        serde_json::json!({"type": "local", "command": command, "enabled": true})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command() -> ServerCommand {
        ServerCommand {
            program: "/opt/ba\"ton".to_owned(),
            arguments: vec!["mcp".to_owned()],
        }
    }

    fn setups() -> Vec<AgentSetup> {
        agent_setups(Path::new("/home/ada"), &|_| None)
    }

    /// Configurations with comments, trailing commas and other servers.
    fn examples(id: &str) -> Vec<&'static str> {
        match id {
            "codex" => vec![
                "",
                "# mine\nmodel = \"o1\" # fast\n\n[mcp_servers.other]\ncommand = \"x\"\n",
                "mcp_servers = { other = { command = \"x\" } }\n",
            ],
            _ => vec![
                "",
                "{}\n",
                "{\"a\":1}",
                "{\n  // mine\n  \"theme\": \"dark\",\n}\n",
                "{\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  },\n  \"mcp\": {}\n}\n",
                "{\n\t\"mcp\": {\n\t\t\"other\": {}, /* last */\n\t}\n}\n",
            ],
        }
    }

    #[test]
    fn entry_is_added_once_and_taken_out_again() {
        for setup in setups().iter().filter(|setup| setup.config.is_some()) {
            for text in examples(setup.id) {
                let with = setup.with_baton(text, &command()).expect("valid");
                assert_eq!(setup.has_baton(&with), Ok(true), "{}: {with}", setup.id);
                assert_eq!(setup.has_baton(text), Ok(false));
                let again = setup.with_baton(&with, &command()).expect("valid");
                assert_eq!(again, with, "{}", setup.id);
                for kept in ["// mine", "# mine", "# fast", "/* last */", "other"] {
                    assert_eq!(with.contains(kept), text.contains(kept), "{with}");
                }
                let without = setup.without_baton(&with).expect("valid");
                assert_eq!(setup.has_baton(&without), Ok(false), "{without}");
                for kept in [
                    "// mine",
                    "# mine",
                    "# fast",
                    "/* last */",
                    "other",
                    "theme",
                ] {
                    assert_eq!(without.contains(kept), text.contains(kept), "{without}");
                }
                setup.with_baton(&without, &command()).expect("still valid");
            }
        }
    }

    #[test]
    fn other_entry_of_the_same_name_is_replaced() {
        for setup in setups().iter().filter(|setup| setup.config.is_some()) {
            let old = ServerCommand {
                program: "/old".to_owned(),
                arguments: Vec::new(),
            };
            let text = setup.with_baton("", &old).expect("valid");
            let with = setup.with_baton(&text, &command()).expect("valid");
            assert!(!with.contains("/old"), "{with}");
        }
    }

    #[test]
    fn faulty_configuration_is_refused_with_the_place() {
        for setup in setups().iter().filter(|setup| setup.config.is_some()) {
            let faulty = match setup.id {
                "codex" => ["a = 1\nb =\n", "a = 1\nmcp_servers = 3\n"],
                "opencode" => ["{\n  \"a\": ,\n}", "{\n  \"mcp\": 3\n}"],
                _ => ["{\n  \"a\": ,\n}", "{\n  \"mcpServers\": []\n}"],
            };
            for text in faulty {
                let error = setup.with_baton(text, &command()).expect_err(text);
                assert!(error.to_string().starts_with("line 2"), "{error}");
            }
        }
    }

    #[test]
    fn folders_of_the_environment_are_used() {
        let moved = |name: &str| match name {
            "CLAUDE_CONFIG_DIR" | "CODEX_HOME" | "XDG_CONFIG_HOME" => {
                Some(PathBuf::from(format!("/{name}")))
            }
            _ => None,
        };
        let setups = agent_setups(Path::new("/home/ada"), &moved);
        let configs: Vec<_> = setups
            .iter()
            .filter_map(|setup| setup.config.as_deref())
            .map(|path| path.display().to_string())
            .collect();
        assert_eq!(
            configs,
            [
                "/CLAUDE_CONFIG_DIR/.claude.json",
                "/CODEX_HOME/config.toml",
                "/home/ada/.gemini/settings.json",
                "/XDG_CONFIG_HOME/opencode/opencode.json",
            ]
        );
    }
}
