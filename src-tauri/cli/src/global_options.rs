//! The options that every command accepts.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Where the data is, and how results are printed.
#[derive(Debug, Args)]
pub(crate) struct GlobalOptions {
    /// Keep the data in this directory, not in BATON_DATA_DIR or the platform's data directory.
    #[arg(long, global = true, value_name = "DIR", help_heading = "Everywhere")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Print JSON for programs: one document, or one object a line for what goes on.
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
    /// Print results and errors only.
    #[arg(long, short, global = true, help_heading = "Everywhere")]
    pub(crate) quiet: bool,
    /// Use colors; `auto` uses them on a terminal unless NO_COLOR is set.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Everywhere"
    )]
    pub(crate) color: ColorChoice,
}

/// When colors are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Also in files and pipes.
    Always,
    /// Not at all.
    Never,
}
