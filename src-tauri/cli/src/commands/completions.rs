//! `baton completions`.

use clap::Args;
use clap_complete::Shell;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;

/// Print what a shell needs to complete this command.
///
/// For bash: baton completions bash > ~/.local/share/bash-completion/completions/baton
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Prints the script that completes `root`, the whole command line.
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
