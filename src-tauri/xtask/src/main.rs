//! `cargo xtask …`: runs, tests, measures and packages Baton from a fresh clone.
//!
//! Each command fetches what it needs, prints its progress, and stops with an error message if
//! something isn't available. It doesn't depend on Baton's crates: it runs their binaries and
//! parses their output.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people at a terminal"
)]

mod bench;
mod bindings;
mod cargo;
mod check;
mod compiler;
mod deny;
mod notices;
mod npm;
mod package;
mod process;
mod pypi_packages;
mod pypi_tool;
mod repo_paths;
mod run;
mod soak;
mod stage;
mod stamp;
mod strings;
mod system;
mod test;
mod tools;

use std::env;
use std::process::ExitCode;

use anyhow::Result;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  run [--browser] [--release] [-- ARGUMENTS]   set up, build and open Baton, in a browser if there is no display
  test [--only PART]…                          set up and run all tests
                                               parts: fmt typos lint deny unused ui clippy bindings rust doctest doc browser desktop package
  check                                        the fast parts of test: formatting, spelling, lints, unused code, dependency rules
  advisories                                   check dependencies for known vulnerabilities (needs the network)
  bindings                                     generate the TypeScript declarations
  strings                                      list all user-visible texts with their locations
  soak [--minutes NUMBER]                      run the randomized tests with very many cases
  package [--debug]                            build a deb and an rpm
  bench [engine|latency|shell|adopt|idle|output|timelines|transcripts|api|window|canvas]…
                                               compare Baton with ninja, a bare keeper, an empty window and a plain graph";

fn main() -> ExitCode {
    let result = compiler::run().unwrap_or_else(run_command);
    result.unwrap_or_else(|error| {
        eprintln!("\ncargo xtask: {error:#}");
        ExitCode::FAILURE
    })
}

fn run_command() -> Result<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.split_first() {
        Some((&"run", rest)) => run::run(rest),
        Some((&"test", rest)) => test::test(rest),
        Some((&"check", [])) => check::check(),
        Some((&"advisories", [])) => deny::advisories(),
        Some((&"bindings", [])) => bindings::write(),
        Some((&"strings", [])) => strings::strings(),
        Some((&"bench", rest)) => bench::bench(rest),
        Some((&"soak", rest)) => soak::soak(rest),
        Some((&"package", rest)) => package::package(rest),
        Some((&("help" | "--help" | "-h"), _)) => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            eprintln!("{USAGE}");
            Ok(ExitCode::from(2))
        }
    }
}
