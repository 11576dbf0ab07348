//! Programs that do whatever their arguments say, so their first words don't limit what they do.

use crate::shell::{CodeInput, base_name, code_input, is_wrapper};

/// Shell builtins that run code, or change the meaning of later commands.
const BUILTINS: &[&str] = &[
    ".",
    ":",
    "[",
    "[[",
    "alias",
    "autoload",
    "bind",
    "bindkey",
    "break",
    "builtin",
    "caller",
    "case",
    "cd",
    "command",
    "compgen",
    "complete",
    "coproc",
    "declare",
    "emulate",
    "enable",
    "eval",
    "exec",
    "export",
    "fc",
    "float",
    "for",
    "foreach",
    "function",
    "getopts",
    "hash",
    "if",
    "integer",
    "let",
    "local",
    "mapfile",
    "nocorrect",
    "noglob",
    "popd",
    "print",
    "printf",
    "pushd",
    "read",
    "readarray",
    "readonly",
    "repeat",
    "sched",
    "select",
    "set",
    "setopt",
    "shift",
    "shopt",
    "source",
    "test",
    "time",
    "trap",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "until",
    "vared",
    "wait",
    "while",
    "zmodload",
    "zstyle",
];

/// Programs that run code or programs from their arguments, in addition to those known to
/// [`is_wrapper`] and [`code_input`].
const RUNNERS: &[&str] = &[
    "act",
    "ansible",
    "at",
    "batch",
    "bunx",
    "chamber",
    "cmake",
    "concurrently",
    "cross-env",
    "crontab",
    "doppler",
    "dotenv",
    "entr",
    "env-cmd",
    "expect",
    "fakeroot",
    "ghci",
    "hyperfine",
    "jshell",
    "less",
    "m4",
    "man",
    "more",
    "mosh",
    "mysql",
    "nc",
    "ncat",
    "netcat",
    "nodemon",
    "numactl",
    "open",
    "pdsh",
    "proot",
    "proxychains",
    "proxychains4",
    "psql",
    "rlwrap",
    "rsh",
    "setarch",
    "setpriv",
    "sg",
    "socat",
    "sqlite3",
    "sshpass",
    "telnet",
    "torsocks",
    "ts-node",
    "tsx",
    "watchexec",
    "xdg-open",
    "xterm",
    "zx",
];

/// Programs that write or remove what their arguments name.
const WRITERS: &[&str] = &[
    "cp",
    "cpio",
    "curl",
    "dd",
    "ed",
    "ex",
    "git-shell",
    "install",
    "ln",
    "mv",
    "patch",
    "rm",
    "rsync",
    "scp",
    "sftp",
    "shred",
    "sponge",
    "tar",
    "tee",
    "truncate",
    "unlink",
    "unzip",
    "wget",
];

/// A program with subcommands.
struct Tool {
    name: &'static str,
    /// Subcommands, at the second or third word, that run any program.
    broad: &'static [&'static str],
    /// Subcommands that mean nothing without the next word.
    groups: &'static [&'static str],
}

const TOOLS: &[Tool] = &[
    tool(
        "git",
        &[
            "bisect",
            "config",
            "credential",
            "daemon",
            "difftool",
            "fast-import",
            "filter-branch",
            "for-each-repo",
            "help",
            "hook",
            "instaweb",
            "mergetool",
            "p4",
            "receive-pack",
            "remote-ext",
            "remote-fd",
            "send-email",
            "shell",
            "submodule",
            "svn",
            "upload-archive",
            "upload-pack",
            "web--browse",
        ],
        &[],
    ),
    tool("gh", &["alias", "codespace", "cs", "extension", "ext"], &[]),
    tool("cargo", &["install", "watch"], &[]),
    tool("go", &["install", "run", "tool"], &[]),
    tool("rustup", &["run"], &[]),
    tool("npm", NPM, NPM_GROUPS),
    tool("pnpm", NPM, NPM_GROUPS),
    tool("yarn", NPM, NPM_GROUPS),
    tool("bun", NPM, NPM_GROUPS),
    tool(
        "deno",
        &["eval", "install", "repl", "run", "serve", "x"],
        &["task"],
    ),
    tool("docker", DOCKER, DOCKER_GROUPS),
    tool("podman", DOCKER, DOCKER_GROUPS),
    tool("nerdctl", DOCKER, DOCKER_GROUPS),
    tool("docker-compose", &["exec", "run"], &[]),
    tool("kubectl", KUBECTL, &[]),
    tool("oc", KUBECTL, &[]),
    tool("uv", &["run", "tool", "x"], &["pip"]),
    tool("poetry", &["run", "shell", "config"], &[]),
    tool("pipenv", &["run", "shell"], &[]),
    tool("conda", &["init", "run", "config"], &[]),
    tool(
        "mise",
        &["exec", "run", "x", "activate", "set", "watch"],
        &[],
    ),
    tool("asdf", &["exec", "plugin"], &[]),
    tool("nix", &["develop", "eval", "run", "shell"], &["flake"]),
    tool("pip", &["config"], &[]),
    tool("pip3", &["config"], &[]),
    tool(
        "systemctl",
        &["edit", "link", "set-environment", "import-environment"],
        &[],
    ),
    tool("make", &[], &[]),
];

const NPM: &[&str] = &[
    "c",
    "config",
    "create",
    "dlx",
    "edit",
    "env",
    "exec",
    "explore",
    "init",
    "innit",
    "node",
    "repl",
    "set",
    "set-script",
    "x",
];
const NPM_GROUPS: &[&str] = &["run", "run-script", "rum", "urn", "workspace", "workspaces"];
const DOCKER: &[&str] = &["attach", "context", "cp", "create", "exec", "plugin", "run"];
const DOCKER_GROUPS: &[&str] = &[
    "buildx",
    "builder",
    "compose",
    "container",
    "image",
    "network",
    "system",
    "volume",
];
const KUBECTL: &[&str] = &[
    "attach", "config", "cp", "debug", "exec", "plugin", "rsh", "run",
];

const fn tool(
    name: &'static str,
    broad: &'static [&'static str],
    groups: &'static [&'static str],
) -> Tool {
    Tool {
        name,
        broad,
        groups,
    }
}

/// Whether commands that begin with `words` could do anything at all.
pub(super) fn is_too_broad(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else {
        return true;
    };
    let name = base_name(program);
    if name.is_empty()
        || BUILTINS.contains(&name)
        || RUNNERS.contains(&name)
        || WRITERS.contains(&name)
    {
        return true;
    }
    if let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) {
        return is_broad_use(tool, rest);
    }
    match code_input(name) {
        // A script is named, which runs as if it were a program.
        Some(
            CodeInput::Shell
            | CodeInput::Option {
                reads_input: true, ..
            },
        ) => !rest.first().is_some_and(|word| is_file(word)),
        Some(_) => true,
        None => is_wrapper(name),
    }
}

fn is_broad_use(tool: &Tool, rest: &[&str]) -> bool {
    let is_broad = |word: &&str| tool.broad.contains(word);
    let names_nothing = |word: &&str| word.starts_with('-') || tool.groups.contains(word);
    match rest {
        [] => true,
        [first, ..] if first.starts_with('-') || is_broad(first) => true,
        [first, second, ..] if tool.groups.contains(first) => {
            names_nothing(second) || is_broad(second) || *second == "run"
        }
        [first, ..] => tool.groups.contains(first),
    }
}

fn is_file(word: &str) -> bool {
    !word.starts_with(['-', '+', '='])
        && word.contains(['.', '/'])
        && !word.starts_with("/dev/")
        && !word.starts_with("/proc/")
}
