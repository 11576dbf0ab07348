//! The `baton` command: parses the command line, calls operations, and prints their results.
//!
//! It makes no decisions about plans or runs. `baton run` and `baton resume` make this process the
//! executor of a run and print its events; most other commands call an operation and exit. Results
//! go to standard output, everything else to standard error.

mod actor_text;
mod approval;
mod arguments;
mod attempt_files;
mod changes_output;
mod client;
mod commands;
mod dispatch;
mod exit;
mod failure;
mod follow;
mod freshness;
mod git_changes;
mod global_options;
mod help;
mod id_lookup;
mod inbox_output;
mod lookup_error;
mod output;
mod output_file;
mod plan_file;
mod plan_output;
mod proposal_output;
mod refused_calls;
mod review_file;
mod risks_and_context;
mod run_number;
mod simulation_output;
mod since_approval;
mod style;
mod table;
mod time_format;
mod timeline_printer;
mod unified_diff;
mod verb_operations;
mod version_changes;

use std::env;
use std::process::ExitCode;

use baton_api::umask;
use clap::{CommandFactory, Parser};

use crate::arguments::Arguments;
use crate::output::Output;

fn main() -> ExitCode {
    // Must come before the first thread and the first file.
    umask::restrict();
    let arguments = commands::help::move_help_first(env::args_os(), &Arguments::command());
    let arguments = Arguments::parse_from(arguments);
    init_logging();
    let output = Output::new(&arguments.global);
    match dispatch::execute(arguments, &output) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output.failure(&failure);
            failure.exit().into()
        }
    }
}

/// Logs to standard error if `BATON_LOG` is set, for example `BATON_LOG=debug`.
fn init_logging() {
    let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("BATON_LOG") else {
        return;
    };
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
}
