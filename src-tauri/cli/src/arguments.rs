//! What can be said on the command line. The comments here are the help texts.

use clap::{Parser, Subcommand};

use crate::commands::{
    artifact, call, completions, help, node, plan, proposal, request, resume, run, runs, serve,
    session, stats, token, worker, worktrees,
};
use crate::global_options::GlobalOptions;

/// Runs plans of commands and coding agents: each node as a process of its own, with a handoff from node to node.
///
/// Exit codes: 0 done; 1 a run failed, and also paused or stalled; 2 it could not be done as it was asked; 3 it waits
/// for a person; 130 cancelled;
/// 143 ended by SIGTERM.
#[derive(Debug, Parser)]
#[command(
    name = "baton",
    version,
    propagate_version = false,
    subcommand_required = true,
    // `baton help` is our own: it knows the topics of the guide too.
    disable_help_subcommand = true,
    arg_required_else_help = true
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: GlobalOptions,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Run(run::RunArgs),
    Resume(resume::ResumeArgs),
    /// List, show, make, generate, take in, write out, approve and delete plans.
    #[command(subcommand)]
    Plan(plan::PlanVerb),
    /// List, show, accept and reject what agents propose.
    #[command(subcommand)]
    Proposal(proposal::ProposalVerb),
    /// List, show, pause and cancel runs.
    #[command(subcommand)]
    Runs(runs::RunsVerb),
    /// Retry, skip and answer nodes of a run.
    #[command(subcommand)]
    Node(node::NodeVerb),
    /// List what waits for you, over all runs, and how to answer it.
    Inbox,
    /// List, show, allow and refuse what agents ask you to do in their stead.
    #[command(subcommand)]
    Request(request::RequestVerb),
    /// Make, list and revoke the tokens by which programs reach Baton over HTTP.
    #[command(subcommand)]
    Token(token::TokenVerb),
    /// List sessions and read their timelines.
    #[command(subcommand)]
    Session(session::SessionVerb),
    /// Read handoffs.
    #[command(subcommand)]
    Artifact(artifact::ArtifactVerb),
    Stats(stats::StatsArgs),
    /// List the agents on this machine, and what keeps them from working.
    Agents,
    /// Look at what Baton needs on this machine: agents, git, its data; and say what to do about what is missing.
    Doctor,
    /// List the processes that execute runs, and how runs changed hands between them.
    Executors,
    /// Bring the work in worktrees home, list and remove them.
    #[command(subcommand)]
    Worktrees(worktrees::WorktreesVerb),
    Worker(worker::WorkerArgs),
    Serve(serve::ServeArgs),
    Call(call::CallArgs),
    /// Print the software of others that Baton contains, with its licenses.
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
                "{} says nothing",
                command.get_name()
            );
            for argument in command.get_arguments() {
                assert!(
                    argument.get_help().is_some(),
                    "{} {} says nothing",
                    command.get_name(),
                    argument.get_id()
                );
            }
            command.get_subcommands().for_each(check);
        }
        check(&Arguments::command());
    }
}
