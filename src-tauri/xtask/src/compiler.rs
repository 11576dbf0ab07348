//! Compiles and lints the workspace's own crates and checks their documentation in one pass.
//!
//! `cargo clippy` and `cargo doc` would each check all dependencies and all own code once more, which
//! takes as long as compiling them. Here cargo starts a copy of this program in place of the
//! compiler. It starts Clippy's compiler, and then rustdoc with the same arguments. A warning of
//! either is an error. It is set by an argument of cargo's, because tests inherit variables, and some
//! run cargo.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus};

use anyhow::{Context, Result};

use crate::repo_paths::RepoPaths;

/// The copy's name. This program is the compiler if it has this name.
const NAME: &str = "compiler";

const DENY_WARNINGS: [&str; 2] = ["-D", "warnings"];

/// The compiler's options that rustdoc doesn't have, each with a value.
const ONLY_OF_RUSTC: [&str; 4] = ["-C", "--emit", "--out-dir", "--crate-type"];

/// Copies this program, so that it stays in place while cargo builds this program again. Returns the
/// argument with which cargo uses the copy.
pub(crate) fn install(repo: &RepoPaths) -> Result<String> {
    let program = repo.xtask_dir().join(NAME);
    fs::create_dir_all(repo.xtask_dir())?;
    let this = env::current_exe().context("couldn't determine this program's path")?;
    // Removed first: a running program can't be overwritten.
    drop(fs::remove_file(&program));
    fs::copy(this, &program).context("couldn't copy this program")?;
    Ok(format!(
        "--config=build.rustc-workspace-wrapper={program:?}"
    ))
}

/// Runs as the compiler, if cargo started this program as such.
pub(crate) fn run() -> Option<Result<ExitCode>> {
    let program = env::current_exe().ok()?;
    if program.file_name() != Some(OsStr::new(NAME)) {
        return None;
    }
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    Some(compile(&arguments))
}

/// `arguments` begin with the compiler that cargo would have started.
fn compile(arguments: &[OsString]) -> Result<ExitCode> {
    let (rustc, options) = arguments.split_first().context("no compiler given")?;
    let tool = |name| Command::new(Path::new(rustc).with_file_name(name));
    let mut clippy = tool("clippy-driver");
    clippy.args(arguments);
    // Questions about the compiler have no lints.
    if options.iter().any(|option| option == "--crate-name") {
        clippy.args(DENY_WARNINGS);
    }
    let compiled = clippy.status();
    let compiled = compiled.context("couldn't start Clippy")?;
    if !compiled.success() || !has_documentation(options) {
        return Ok(exit_code(compiled));
    }
    let checked = tool("rustdoc")
        .args(rustdoc_options(options))
        .args(DENY_WARNINGS)
        // Only checks: nobody reads these pages, and writing them takes longer. The option isn't stable
        // yet, hence the variable.
        .args(["--document-private-items", "-Zunstable-options", "--check"])
        .env("RUSTC_BOOTSTRAP", "1")
        .status();
    Ok(exit_code(checked.context("couldn't start rustdoc")?))
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
