//! The command line. Doc comments on arguments are help texts, so they follow the style of `gh` and
//! `git`.

use clap::{Parser, Subcommand};

use crate::commands::{
    agents, artifact, bundle, call, completions, help, mcp, node, pin, plan, proposal, request,
    resume, run, runs, serve, session, stats, token, worker, worktrees,
};
use crate::global_options::GlobalOptions;

/// Run plans made of commands and coding agents
///
/// Each node of a plan runs in its own process and passes a handoff to the nodes after it.
///
/// Exit codes: 0 done; 1 a run failed, paused or stalled; 2 usage error, or the request couldn't be
/// completed; 3 waiting for a person; 130 canceled; 143 ended by SIGTERM.
#[derive(Debug, Parser)]
#[command(
    name = "baton",
    version,
    propagate_version = false,
    subcommand_required = true,
    // Replaced by our own `baton help`, which also prints pages of the guide.
    disable_help_subcommand = true,
    arg_required_else_help = true
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: GlobalOptions,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Run(run::RunArgs),
    Resume(resume::ResumeArgs),
    Pin(pin::PinArgs),
    Unpin(pin::UnpinArgs),
    Pins(pin::PinsArgs),
    /// Create, generate, import, export, approve, restore and delete plans
    #[command(subcommand)]
    Plan(plan::PlanVerb),
    Export(bundle::ExportArgs),
    Import(bundle::ImportArgs),
    /// Review proposals from agents
    #[command(subcommand)]
    Proposal(proposal::ProposalVerb),
    /// List, show, pause, cancel, rerun and delete runs
    #[command(subcommand)]
    Runs(runs::RunsVerb),
    /// Retry, skip, approve and answer nodes of a run
    ///
    /// If no other process executes the run, the command executes it until it completes, fails or
    /// waits.
    #[command(subcommand)]
    Node(node::NodeVerb),
    /// List what is waiting for you, and how to answer
    Inbox,
    /// Allow or deny operations requested by agents
    #[command(subcommand)]
    Request(request::RequestVerb),
    /// Manage access tokens for the HTTP API
    #[command(subcommand)]
    Token(token::TokenVerb),
    /// List, show, search and continue sessions
    #[command(subcommand)]
    Session(session::SessionVerb),
    /// Show handoffs
    #[command(subcommand)]
    Artifact(artifact::ArtifactVerb),
    Stats(stats::StatsArgs),
    Agents(agents::AgentsArgs),
    /// Check agents, git and the data, and suggest fixes
    Doctor,
    /// List executors and takeovers
    Executors,
    /// List, merge back and remove worktrees
    #[command(subcommand)]
    Worktrees(worktrees::WorktreesVerb),
    Worker(worker::WorkerArgs),
    Serve(serve::ServeArgs),
    Mcp(mcp::McpArgs),
    Call(call::CallArgs),
    /// Print third-party licenses
    Licenses,
    Completions(completions::CompletionsArgs),
    Help(help::HelpArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_verb_and_argument_has_a_help_text() {
        fn check(command: &clap::Command) {
            assert!(
                command.get_about().is_some(),
                "{} has no help text",
                command.get_name()
            );
            for argument in command.get_arguments() {
                assert!(
                    argument.get_help().is_some(),
                    "{} {} has no help text",
                    command.get_name(),
                    argument.get_id()
                );
            }
            command.get_subcommands().for_each(check);
        }
        check(&Arguments::command());
    }

    #[test]
    fn former_verbs_and_options_still_parse() {
        for line in [
            "baton node refuse RUN NODE",
            "baton node asked RUN NODE",
            "baton node allowed RUN",
            "baton node restore-git RUN NODE --look",
            "baton request refuse 00000000-0000-0000-0000-000000000001",
            "baton worktrees home RUN --look",
            "baton worktrees back RUN",
            "baton worktrees undo RUN",
            "baton worktrees remove PLACE --even-broken",
        ] {
            let parsed = Arguments::try_parse_from(line.split(' '));
            assert!(parsed.is_ok(), "{line}: {parsed:?}");
        }
    }
}
