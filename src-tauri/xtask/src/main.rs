//! `cargo xtask …`: from a fresh clone to a running, tested or measured Baton.
//!
//! Each command fetches what it needs, says what it is doing, and stops with a sentence when something cannot be had.
//! It deliberately knows nothing of Baton's crates: it starts their binaries and reads what they print.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people at a terminal"
)]

mod bench;
mod bindings;
mod cargo;
mod check;
mod deny;
mod notices;
mod npm;
mod package;
mod process;
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

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  run [--browser] [--release] [-- ARGUMENTS]   set up, build and open Baton; in the browser when there is no display
  test [--only PART]…                          set up and run everything that tests Baton
                                               parts: fmt typos lint deny unused ui clippy bindings rust doctest doc browser desktop package
  check                                        the quick half of test: formatting, spelling, lints, what is unused, and what is allowed to be built in
  advisories                                   whether a dependency has a known vulnerability (asks the network)
  bindings                                     write the TypeScript declarations of the operations
  strings                                      every text that a person can see, with its place, to be read one after the other
  soak [--minutes NUMBER]                      the tests that draw cases by chance, with very many cases
  package [--debug]                            a deb and an rpm with the window and every program
  bench [engine|latency|shell|adopt|idle|output|timelines|transcripts|window|canvas]…
                                               measure Baton beside ninja, a bare keeper, an empty window and a plain graph";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.split_first() {
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
    };
    result.unwrap_or_else(|error| {
        eprintln!("\ncargo xtask: {error:#}");
        ExitCode::FAILURE
    })
}
