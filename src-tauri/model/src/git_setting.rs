//! Which git settings make git run a program, and which attribute lines select one.
//!
//! A session can write `.git/config`, which applies when a person runs git. The keys are those of
//! git-config(1), git-lfs-config(5) and of commands with their own keys. Settings are in the form
//! printed by `git config --list`, with section and variable in lower case.

use std::collections::BTreeMap;

/// The commands that `git lfs install --local` writes. They are trusted if they match exactly.
pub const GIT_LFS_COMMANDS: [&str; 8] = [
    "git-lfs clean -- %f",
    "git-lfs clean %f",
    "git-lfs smudge -- %f",
    "git-lfs smudge %f",
    "git-lfs smudge --skip -- %f",
    "git-lfs smudge --skip %f",
    "git-lfs filter-process",
    "git-lfs filter-process --skip",
];

/// Transports that are part of git and run nothing that a repository could choose.
const BUILTIN_PROTOCOLS: [&str; 5] = ["file", "git", "http", "https", "ssh"];

/// Arguments that pass a program or a setting to a git command. An alias may contain them.
const PROGRAM_FLAGS: [&str; 12] = [
    "-c",
    "--config-env",
    "-x",
    "--exec",
    "--extcmd",
    "--upload-pack",
    "--receive-pack",
    "-O",
    "--open-files-in-pager",
    "foreach",
    "run",
    "filter-branch",
];

/// Drivers that are part of git, and those of git-lfs.
const BUILTIN_DRIVERS: [&str; 4] = ["lfs", "union", "binary", "text"];

/// A key and its value. A key can occur several times in a file.
pub type Setting = (String, String);

/// A key whose values differ between two versions of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct SettingChange {
    pub key: String,
    /// All values before, in order; empty if the key was added.
    pub before: Vec<String>,
    /// All values after; empty if the key was removed.
    pub after: Vec<String>,
}

/// Whether this setting makes git, or a program that is part of git, run something. Also true for
/// settings that include another file with settings.
#[must_use]
pub fn runs_program(key: &str, value: &str) -> bool {
    let Some((section, subsection, variable)) = split_key(key) else {
        return false;
    };
    let value = value.trim();
    match (section, variable) {
        // These refer to files with more settings.
        ("include" | "includeif", "path")
        | ("core", "hookspath" | "attributesfile")
        | ("init", "templatedir")
        | ("instaweb", "modulepath") => true,
        ("core", "fsmonitor") | ("pager", _) => !value.is_empty() && !is_boolean(value),
        ("filter", "clean" | "smudge" | "process") => {
            let is_git_lfs = subsection == "lfs" && GIT_LFS_COMMANDS.contains(&value);
            !value.is_empty() && !is_git_lfs
        }
        ("alias", _) => alias_runs_program(value),
        ("submodule", "update") => value.starts_with('!'),
        ("protocol", "allow") => !BUILTIN_PROTOCOLS.contains(&subsection) && value != "never",
        ("url", "insteadof" | "pushinsteadof") => starts_helper_program(subsection),
        ("remote", "url" | "pushurl") => starts_helper_program(value),
        _ => is_program_setting(section, subsection, variable) && !value.is_empty(),
    }
}

/// Whether the value of the key is a program or a command line.
fn is_program_setting(section: &str, subsection: &str, variable: &str) -> bool {
    match section {
        "core" => matches!(
            variable,
            "sshcommand"
                | "gitproxy"
                | "editor"
                | "pager"
                | "askpass"
                | "alternaterefscommand"
                | "virtualfilesystem"
        ),
        "merge" => variable == "driver",
        "diff" => matches!(variable, "command" | "textconv" | "external"),
        "credential" => variable == "helper",
        "gpg" => matches!(variable, "program" | "defaultkeycommand"),
        "remote" => matches!(variable, "uploadpack" | "receivepack" | "vcs"),
        "difftool" | "mergetool" | "browser" | "man" => matches!(variable, "cmd" | "path"),
        "guitool" => variable == "cmd",
        "hook" | "tar" => variable == "command",
        "trailer" => matches!(variable, "command" | "cmd"),
        "sendemail" => matches!(
            variable,
            "smtpserver" | "sendmailcmd" | "tocmd" | "cccmd" | "headercmd"
        ),
        // A program that `git lfs` runs in addition to the filter.
        "lfs" => match subsection.split('.').next() {
            Some("extension") => matches!(variable, "clean" | "smudge"),
            Some("customtransfer") => matches!(variable, "path" | "args"),
            _ => variable == "standalonetransferagent",
        },
        _ => matches!(
            (section, variable),
            ("sequence", "editor")
                | ("interactive", "difffilter")
                | ("uploadpack", "packobjectshook")
                | ("gc", "recentobjectshook")
                | ("imap", "tunnel")
                | ("instaweb", "httpd")
                | ("svn", "authorsprog")
        ),
    }
}

/// Section, subsection and variable. The subsection is everything between the first and the last
/// dot.
fn split_key(key: &str) -> Option<(&str, &str, &str)> {
    let (section, rest) = key.split_once('.')?;
    let (subsection, variable) = rest.rsplit_once('.').unwrap_or(("", rest));
    Some((section, subsection, variable))
}

/// Whether an alias runs a program itself or passes one to a git command.
fn alias_runs_program(value: &str) -> bool {
    let hands = |word: &str| {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        PROGRAM_FLAGS.contains(&name) || starts_helper_program(word)
    };
    value.starts_with('!')
        || value
            .split_whitespace()
            .any(|word| hands(word.trim_matches(['"', '\''])))
}

/// Whether the address itself names the program that serves as its transport.
fn starts_helper_program(address: &str) -> bool {
    let scheme = address.split_once("::").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn is_boolean(value: &str) -> bool {
    let words = ["true", "false", "yes", "no", "on", "off"];
    words.iter().any(|word| value.eq_ignore_ascii_case(word)) || value.parse::<i64>().is_ok()
}

/// The keys whose change affects which programs run.
#[must_use]
pub fn changed_program_settings(before: &[Setting], after: &[Setting]) -> Vec<SettingChange> {
    let (mut before, mut after) = (by_key(before), by_key(after));
    let keys: Vec<String> = before
        .keys()
        .chain(after.keys().filter(|key| !before.contains_key(*key)))
        .cloned()
        .collect();
    let change = |key: String| {
        let (before, after) = (
            before.remove(&key).unwrap_or_default(),
            after.remove(&key).unwrap_or_default(),
        );
        let programs = |values: &[String]| {
            values
                .iter()
                .filter(|value| runs_program(&key, value))
                .cloned()
                .collect()
        };
        let (then, now): (Vec<String>, Vec<String>) = (programs(&before), programs(&after));
        (then != now).then_some(SettingChange { key, before, after })
    };
    let mut changes: Vec<SettingChange> = keys.into_iter().filter_map(change).collect();
    changes.sort_by(|one, other| one.key.cmp(&other.key));
    changes
}

fn by_key(settings: &[Setting]) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (key, value) in settings {
        all.entry(key.clone()).or_default().push(value.clone());
    }
    all
}

/// The lines of an attributes file that select a filter, or a diff or merge driver, that is not
/// part of git. The configuration defines what such a driver runs.
#[must_use]
pub fn attribute_lines_with_drivers(attributes: &str) -> Vec<&str> {
    let chooses = |word: &str| {
        let driver = ["filter=", "diff=", "merge="]
            .iter()
            .find_map(|name| word.strip_prefix(name));
        driver.is_some_and(|driver| !BUILTIN_DRIVERS.contains(&driver))
    };
    let lines = attributes
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'));
    lines
        .filter(|line| line.split_whitespace().skip(1).any(chooses))
        .collect()
}

#[cfg(test)]
mod tests;
