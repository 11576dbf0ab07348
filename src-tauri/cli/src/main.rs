//! The `baton` command: parses, asks an operation, shows what comes back.
//!
//! It decides nothing about plans or runs. `baton run` and `baton resume` make this process the executor of
//! a run and tell what happens in it; every other verb asks once and ends. Standard output carries results,
//! standard error everything else.

mod approval;
mod arguments;
mod client;
mod commands;
mod dispatch;
mod exit;
mod failure;
mod follow;
mod git_changes;
mod global_options;
mod help;
mod id_lookup;
mod inbox_output;
mod lookup_error;
mod output;
mod plan_file;
mod plan_output;
mod proposal_output;
mod refused_calls;
mod style;
mod table;
mod time_format;
mod timeline_printer;
mod verb_operations;

use std::env;
use std::process::ExitCode;

use baton_api::umask;
use clap::{CommandFactory, Parser};

use crate::arguments::Arguments;
use crate::output::Output;

fn main() -> ExitCode {
    // Before there are threads or files.
    umask::restrict();
    let words = commands::help::move_help_first(env::args_os(), &Arguments::command());
    let arguments = Arguments::parse_from(words);
    log_when_asked();
    let output = Output::new(&arguments.global);
    match dispatch::execute(arguments, &output) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output.failure(&failure);
            failure.exit().into()
        }
    }
}

/// Logs to standard error as `BATON_LOG` says, for instance `BATON_LOG=debug`; otherwise not at all.
fn log_when_asked() {
    let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("BATON_LOG") else {
        return;
    };
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
}
