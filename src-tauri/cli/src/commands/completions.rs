//! `baton completions`: generates shell completion scripts.

use clap::Args;
use clap_complete::Shell;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;

/// Generate a shell completion script
///
/// For bash: baton completions bash > ~/.local/share/bash-completion/completions/baton
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell to generate the script for
    shell: Shell,
}

/// Prints the completion script for `root`, the whole command line.
pub(crate) fn completions(
    output: &Output,
    args: CompletionsArgs,
    mut root: clap::Command,
) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut root, "baton", &mut script);
    output.file(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
