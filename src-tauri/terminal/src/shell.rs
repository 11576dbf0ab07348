//! The shell of a terminal: which program, and in which environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use portable_pty::CommandBuilder;

/// Variables that describe another terminal.
const OF_ANOTHER_TERMINAL: [&str; 8] = [
    "COLUMNS",
    "LINES",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TERM_SESSION_ID",
    "TMUX",
    "VTE_VERSION",
    "WINDOWID",
];

/// A shell to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shell {
    program: PathBuf,
    directory: PathBuf,
    environment: BTreeMap<String, String>,
}

impl Shell {
    /// The person's shell in `directory`: the program that `SHELL` names, or else the one of the
    /// account. Variables of Baton are left out, because they hold its secrets.
    #[must_use]
    pub fn in_directory(directory: PathBuf, environment: &BTreeMap<String, String>) -> Self {
        let mut environment: BTreeMap<String, String> = environment
            .iter()
            .filter(|(name, _)| !is_left_out(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        environment.insert("TERM".to_owned(), "xterm-256color".to_owned());
        environment.insert("COLORTERM".to_owned(), "truecolor".to_owned());
        let mut lookup = CommandBuilder::new_default_prog();
        lookup.env_clear();
        if let Some(named) = environment.get("SHELL") {
            lookup.env("SHELL", named);
        }
        Self {
            program: lookup.get_shell().into(),
            directory,
            environment,
        }
    }

    /// The same shell with one more variable.
    #[must_use]
    pub fn with_variable(mut self, name: &str, value: String) -> Self {
        self.environment.insert(name.to_owned(), value);
        self
    }

    /// The path of the program.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// A command that starts the program directly, without arguments.
    pub(crate) fn command(&self) -> CommandBuilder {
        let mut command = CommandBuilder::new(&self.program);
        command.env_clear();
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command.cwd(&self.directory);
        command
    }
}

fn is_left_out(name: &str) -> bool {
    name.starts_with("BATON_") || OF_ANOTHER_TERMINAL.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(variables: &[(&str, &str)]) -> Shell {
        let environment = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Shell::in_directory("/".into(), &environment)
    }

    #[test]
    fn shell_is_the_one_of_the_person() {
        assert_eq!(
            shell(&[("SHELL", "/bin/sh")]).program(),
            Path::new("/bin/sh")
        );
        let other = shell(&[("SHELL", "/no/such/shell; touch x")]);
        assert!(other.program().is_file(), "{other:?}");
        assert_eq!(other.command().get_argv().len(), 1, "no arguments");
    }

    #[test]
    fn environment_has_no_variables_of_baton_or_of_another_terminal() {
        let shell = shell(&[
            ("PATH", "/bin"),
            ("BATON_SESSION_TOKEN", "secret"),
            ("COLUMNS", "9"),
            ("TERM", "dumb"),
            ("MY_BATON_", "kept"),
        ]);
        let names: Vec<&str> = shell.environment.keys().map(String::as_str).collect();
        assert_eq!(names, ["COLORTERM", "MY_BATON_", "PATH", "TERM"]);
        assert_eq!(shell.environment["TERM"], "xterm-256color");
    }
}
