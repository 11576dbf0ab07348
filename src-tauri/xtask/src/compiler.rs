//! Compiles, lints and documents the workspace's own crates in one pass.
//!
//! `cargo clippy` and `cargo doc` would each check all dependencies and all own code once more, which
//! takes as long as compiling them. Here cargo starts a copy of this program in place of the
//! compiler (`RUSTC_WORKSPACE_WRAPPER`). It starts Clippy's compiler, and then rustdoc with the same
//! arguments. A warning of either is an error.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use anyhow::{Context, Result};

use crate::repo_paths::RepoPaths;

/// Contains the documentation's folder. This program is the compiler if it is set.
const DOCUMENTATION: &str = "BATON_XTASK_DOCUMENTATION";

/// How `cargo clippy -- -D warnings` passes its arguments.
const CLIPPY_ARGUMENTS: &str = "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";

/// The compiler's options that rustdoc doesn't have, each with a value.
const ONLY_OF_RUSTC: [&str; 4] = ["-C", "--emit", "--out-dir", "--crate-type"];

/// A copy of this program, which stays in place while cargo builds this program again.
pub(crate) struct Compiler {
    program: PathBuf,
    documentation: PathBuf,
}

impl Compiler {
    /// Copies this program.
    pub(crate) fn install(repo: &RepoPaths) -> Result<Self> {
        let program = repo.xtask_dir().join("compiler");
        fs::create_dir_all(repo.xtask_dir())?;
        let this = env::current_exe().context("couldn't determine this program's path")?;
        // Removed first: a running program can't be overwritten.
        drop(fs::remove_file(&program));
        fs::copy(this, &program).context("couldn't copy this program")?;
        Ok(Self {
            program,
            documentation: repo.target.join("doc"),
        })
    }

    /// Makes a cargo command use it.
    pub(crate) fn apply(&self, command: &mut Command) {
        command
            .env("RUSTC_WORKSPACE_WRAPPER", &self.program)
            .env("CLIPPY_ARGS", CLIPPY_ARGUMENTS)
            .env(DOCUMENTATION, &self.documentation);
    }
}

/// Runs as the compiler, if cargo started this program as such.
pub(crate) fn run() -> Option<Result<ExitCode>> {
    let documentation = env::var_os(DOCUMENTATION)?;
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    Some(compile(&arguments, Path::new(&documentation)))
}

/// `arguments` begin with the compiler that cargo would have started.
fn compile(arguments: &[OsString], documentation: &Path) -> Result<ExitCode> {
    let (rustc, options) = arguments.split_first().context("no compiler given")?;
    let tool = |name| Command::new(Path::new(rustc).with_file_name(name));
    let compiled = tool("clippy-driver").args(arguments).status();
    let compiled = compiled.context("couldn't start Clippy")?;
    if !compiled.success() || !has_documentation(options) {
        return Ok(exit_code(compiled));
    }
    let rendered = tool("rustdoc")
        .args(rustdoc_options(options))
        .args(["--document-private-items", "-D", "warnings", "-o"])
        .arg(documentation)
        .status();
    Ok(exit_code(rendered.context("couldn't start rustdoc")?))
}

fn exit_code(status: ExitStatus) -> ExitCode {
    if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Whether these options compile a library or a program, not its tests, a build script or nothing.
fn has_documentation(options: &[OsString]) -> bool {
    let has = |wanted: &str| options.iter().any(|option| option == wanted);
    let is_build_script = options
        .windows(2)
        .any(|pair| pair[0] == "--crate-name" && pair[1].to_string_lossy().starts_with("build_"));
    has("--crate-name") && has("--out-dir") && !has("--test") && !is_build_script
}

/// Returns the options that rustdoc shares with the compiler.
fn rustdoc_options(options: &[OsString]) -> Vec<OsString> {
    let mut shared = Vec::new();
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        let text = option.to_string_lossy();
        if ONLY_OF_RUSTC.contains(&text.as_ref()) {
            rest.next();
        } else if !is_only_of_rustc(&text) {
            shared.push(option.clone());
        }
    }
    shared
}

/// Whether the option is one of rustc's together with its value, or a lint of Clippy's.
fn is_only_of_rustc(option: &str) -> bool {
    let joined = ONLY_OF_RUSTC
        .iter()
        .filter_map(|name| option.strip_prefix(name));
    option.contains("=clippy::") || joined.into_iter().any(|rest| rest.starts_with('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    const LIBRARY: &str = "--crate-name baton_model --edition=2024 src/lib.rs --error-format=json \
        --crate-type lib --emit=dep-info,metadata,link -C embed-bitcode=no --warn=unused \
        --deny=clippy::unwrap_used --cfg feature=\"x\" --out-dir target/debug/deps -C metadata=1 \
        -L dependency=target/debug/deps --extern serde=target/debug/deps/libserde.rmeta";

    #[test]
    fn rustdoc_reads_the_same_crate_with_the_same_dependencies() {
        let expected = "--crate-name baton_model --edition=2024 src/lib.rs --error-format=json \
            --warn=unused --cfg feature=\"x\" -L dependency=target/debug/deps \
            --extern serde=target/debug/deps/libserde.rmeta";
        assert_eq!(rustdoc_options(&options(LIBRARY)), options(expected));
    }

    #[test]
    fn only_libraries_and_programs_are_documented() {
        assert!(has_documentation(&options(LIBRARY)));
        let tests = LIBRARY.replace("--crate-type lib", "--test");
        let build_script = LIBRARY.replace("baton_model", "build_script_build");
        for other in [
            &tests,
            &build_script,
            "-vV",
            "- --crate-name ___ --print=cfg",
        ] {
            assert!(!has_documentation(&options(other)), "{other}");
        }
    }
}
