//! Which settings of a repository make git run a program, and which lines of its attributes choose one.
//!
//! A session may write `.git/config`, and the person's own git obeys what it finds there. Keys are those of
//! git-config(1), git-lfs-config(5) and the commands that read keys of their own; the names of settings come as
//! `git config --list` prints them, with section and variable in lower case.

use std::collections::BTreeMap;

/// What `git lfs install --local` writes: a program that everybody knows by its exact words.
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

/// Transports that are part of git and start nothing that a repository could choose.
const OWN_PROTOCOLS: [&str; 5] = ["file", "git", "http", "https", "ssh"];

/// Words by which a command of git is handed a program or a setting: an alias can hold them.
const HANDS_A_PROGRAM: [&str; 12] = [
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

/// Drivers that git itself brings along, and git-lfs's.
const OWN_DRIVERS: [&str; 4] = ["lfs", "union", "binary", "text"];

/// A setting of a file: the key, and its value. A key can be there several times.
pub type Setting = (String, String);

/// A key whose values are not the same in two versions of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingChange {
    /// The key.
    pub key: String,
    /// All of its values before, in order; none when it was not there.
    pub before: Vec<String>,
    /// All of its values after.
    pub after: Vec<String>,
}

/// Whether git, or a program that comes with it, runs something because `key` has `value`; also where the key leads to
/// another file with settings.
#[must_use]
pub fn runs_program(key: &str, value: &str) -> bool {
    let Some((section, subsection, variable)) = parts(key) else {
        return false;
    };
    let value = value.trim();
    match (section, variable) {
        // These lead to files that say more.
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
        ("protocol", "allow") => !OWN_PROTOCOLS.contains(&subsection) && value != "never",
        ("url", "insteadof" | "pushinsteadof") => leads_to_program(subsection),
        ("remote", "url" | "pushurl") => leads_to_program(value),
        _ => names_program(section, subsection, variable) && !value.is_empty(),
    }
}

/// Whether the value of the key is a program, or a command line.
fn names_program(section: &str, subsection: &str, variable: &str) -> bool {
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
        // A program that `git lfs` starts beside the filter.
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

/// Section, subsection and variable; what is between the first and the last dot is the subsection.
fn parts(key: &str) -> Option<(&str, &str, &str)> {
    let (section, rest) = key.split_once('.')?;
    let (subsection, variable) = rest.rsplit_once('.').unwrap_or(("", rest));
    Some((section, subsection, variable))
}

/// An alias runs a program by itself, or hands one to a command of git.
fn alias_runs_program(value: &str) -> bool {
    let hands = |word: &str| {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        HANDS_A_PROGRAM.contains(&name) || leads_to_program(word)
    };
    value.starts_with('!')
        || value
            .split_whitespace()
            .any(|word| hands(word.trim_matches(['"', '\''])))
}

/// An address whose transport is a program that the address itself names.
fn leads_to_program(address: &str) -> bool {
    let scheme = address.split_once("::").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn is_boolean(value: &str) -> bool {
    let words = ["true", "false", "yes", "no", "on", "off"];
    words.iter().any(|word| value.eq_ignore_ascii_case(word)) || value.parse::<i64>().is_ok()
}

/// The keys by which other programs run, or no longer run, than before.
#[must_use]
pub fn changed_programs(before: &[Setting], after: &[Setting]) -> Vec<SettingChange> {
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

/// The lines of an attributes file that choose a filter, or a driver for differences or merges, that git does not bring
/// along: the other half of what the configuration defines.
#[must_use]
pub fn lines_that_choose_programs(attributes: &str) -> Vec<&str> {
    let chooses = |word: &str| {
        let driver = ["filter=", "diff=", "merge="]
            .iter()
            .find_map(|name| word.strip_prefix(name));
        driver.is_some_and(|driver| !OWN_DRIVERS.contains(&driver))
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
