//! Programs that run code from their arguments, and programs that start others.

/// How a program takes code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodeInput {
    /// A shell: the first non-option word, if one of the options contains a `c`.
    Shell,
    /// The argument of an option, or the rest of the option itself.
    Option {
        /// Short options, which can be combined.
        letters: &'static str,
        long: &'static [&'static str],
        /// Whether it runs its standard input if no file is given.
        reads_input: bool,
    },
    /// The first non-option word, unless an option names a file with the code.
    First {
        /// Options followed by code.
        code: &'static [&'static str],
        /// Options followed by the name of a file with code.
        files: &'static [&'static str],
        /// Options followed by data.
        data: &'static [&'static str],
        /// An option that prevents the code from starting programs.
        harmless: &'static str,
    },
    /// Every argument is code.
    Words,
    /// Every argument after the host is code, which runs on that host.
    Remote,
}

/// Options of `ssh` that take an argument.
pub(super) const SSH_OPTIONS: &str = "BbcDEeFIiJLlmOopQRSWw";

const SHELLS: [&str; 11] = [
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash", "csh", "tcsh",
];

/// Returns how `program` takes code; `None` if it does not.
pub(crate) fn code_input(program: &str) -> Option<CodeInput> {
    let name = base_name(program);
    let option = |letters, long, reads_input| {
        Some(CodeInput::Option {
            letters,
            long,
            reads_input,
        })
    };
    if SHELLS.contains(&name) {
        return Some(CodeInput::Shell);
    }
    match without_version(name) {
        "python" | "pypy" | "ipython" => option("c", &[], true),
        "node" | "nodejs" | "bun" | "deno" => option("ep", &["--eval", "--print", "eval"], true),
        "perl" => option("eE", &[], true),
        "ruby" | "jruby" | "lua" | "luajit" | "R" | "Rscript" | "groovy" | "scala" | "julia"
        | "elixir" => option("eE", &["--eval"], true),
        "osascript" => option("e", &[], true),
        "php" => option(
            "rBRE",
            &[
                "--run",
                "--process-begin",
                "--process-code",
                "--process-end",
            ],
            true,
        ),
        "pwsh" | "powershell" => option("c", &["-Command", "-command", "-EncodedCommand"], true),
        "erl" => option("", &["-eval"], false),
        "emacs" => option("", &["--eval", "--execute"], false),
        "su" | "runuser" | "script" | "flock" => {
            option("c", &["--command", "--session-command"], false)
        }
        "nix-shell" => option("", &["--run", "--command"], false),
        "npm" | "npx" | "pnpm" => option("c", &["--call"], false),
        "awk" | "gawk" | "mawk" | "nawk" | "original-awk" => Some(CodeInput::First {
            code: &["-e", "--source"],
            files: &["-f", "--file"],
            data: &[
                "-v",
                "--assign",
                "-F",
                "--field-separator",
                "-i",
                "--include",
                "-l",
                "--load",
            ],
            harmless: "--sandbox",
        }),
        "sed" | "gsed" => Some(CodeInput::First {
            code: &["-e", "--expression"],
            files: &["-f", "--file"],
            data: &["-l", "--line-length"],
            harmless: "--sandbox",
        }),
        "vi" | "vim" | "nvim" | "ex" | "sg" => option("c", &["--cmd"], false),
        "gdb" => option("", &["-ex", "--eval-command", "-iex"], false),
        "rsync" => option("e", &["--rsh", "--rsync-path"], false),
        "eval" | "trap" | "alias" | "watch" | "parallel" | "entr" | "tmux" => {
            Some(CodeInput::Words)
        }
        "ssh" => Some(CodeInput::Remote),
        "at" | "batch" | "tclsh" | "expect" | "crontab" => option("", &[], true),
        _ => None,
    }
}

/// Whether `program` starts another program named in its arguments.
pub(crate) fn is_wrapper(program: &str) -> bool {
    const WRAPPERS: [&str; 71] = [
        "env",
        "sudo",
        "doas",
        "timeout",
        "gtimeout",
        "nice",
        "nohup",
        "setsid",
        "stdbuf",
        "ionice",
        "chrt",
        "taskset",
        "time",
        "command",
        "exec",
        "builtin",
        "busybox",
        "toybox",
        "xargs",
        "find",
        "docker",
        "podman",
        "nerdctl",
        "kubectl",
        "oc",
        "ssh",
        "su",
        "runuser",
        "chroot",
        "unshare",
        "nsenter",
        "flock",
        "watch",
        "script",
        "systemd-run",
        "dbus-run-session",
        "xvfb-run",
        "strace",
        "ltrace",
        "gdb",
        "valgrind",
        "unbuffer",
        "caffeinate",
        "npx",
        "npm",
        "pnpm",
        "yarn",
        "bunx",
        "uv",
        "uvx",
        "pipx",
        "poetry",
        "pipenv",
        "conda",
        "mise",
        "asdf",
        "direnv",
        "nix",
        "bwrap",
        "firejail",
        "flatpak",
        "lxc",
        "incus",
        "tmux",
        "screen",
        "pkexec",
        "gosu",
        "su-exec",
        "tini",
        "parallel",
        "retry",
    ];
    WRAPPERS.contains(&base_name(program))
}

/// Whether the first non-option argument of `program` is the program that it starts.
pub(super) fn names_program_first(program: &str) -> bool {
    let name = base_name(program);
    [
        "env", "sudo", "doas", "nohup", "nice", "setsid", "stdbuf", "ionice", "exec", "command",
        "builtin", "time", "xargs",
    ]
    .contains(&name)
}

/// Short options of `program` that take an argument.
pub(super) fn options_with_word(program: &str) -> &'static str {
    match base_name(program) {
        "env" => "uC",
        "sudo" | "doas" => "ugpCDRTrth",
        "nice" => "n",
        "stdbuf" => "ioe",
        "ionice" => "cnp",
        "exec" => "a",
        "time" => "fo",
        "xargs" => "InPsLdEa",
        _ => "",
    }
}

/// Whether `file` is the standard input.
pub(super) fn is_input(file: &str) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(&file)
}

/// Whether the option takes code in most programs that accept code.
pub(super) fn announces_code(option: &str) -> bool {
    let letters = option.strip_prefix('-').unwrap_or_default();
    letters.ends_with(['c', 'e'])
        && letters.len() < 4
        && letters.bytes().all(|letter| letter.is_ascii_lowercase())
}

/// Whether programs interpret the variable `name` as code or as the name of a program.
pub(super) fn is_code_variable(name: &str) -> bool {
    const VARIABLES: [&str; 29] = [
        "PS1",
        "PS2",
        "PS4",
        "PROMPT_COMMAND",
        "ENV",
        "BASH_ENV",
        "SHELL",
        "PATH",
        "LD_PRELOAD",
        "LD_LIBRARY_PATH",
        "PERL5OPT",
        "PERL5LIB",
        "RUBYOPT",
        "RUBYLIB",
        "NODE_OPTIONS",
        "PYTHONSTARTUP",
        "PYTHONPATH",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_EXTERNAL_DIFF",
        "GIT_PAGER",
        "GIT_EDITOR",
        "EDITOR",
        "VISUAL",
        "PAGER",
        "MANPAGER",
        "BROWSER",
        "LESSOPEN",
        "MAKEFLAGS",
    ];
    VARIABLES.contains(&name) || name.starts_with("BASH_FUNC_") || name.starts_with("GIT_CONFIG_")
}

/// The name of a program without its folder.
pub(crate) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Removes the version from names such as `python3.12`.
fn without_version(name: &str) -> &str {
    name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.')
}
