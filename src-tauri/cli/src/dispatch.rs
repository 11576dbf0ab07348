//! Calls the function of the parsed command.

use baton_api::Role;
use clap::CommandFactory;

use crate::arguments::{Arguments, Verb};
use crate::client::Client;
use crate::commands::{
    agents, artifact, bundle, call, completions, doctor, executors, help, inbox, licenses, mcp,
    node, pin, plan, proposal, request, resume, run, runs, serve, session, stats, token, worker,
    worktrees,
};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;

/// Executes the parsed command, with the role that decides whether this process may execute runs.
pub(crate) fn execute(arguments: Arguments, output: &Output) -> Result<Exit, Failure> {
    let Arguments { global, verb } = arguments;
    let open = |role| Client::open(&global, output, role);
    match verb {
        Verb::Run(args) => run::run(&open(Role::Cli)?, args),
        Verb::Resume(args) => resume::resume(&open(Role::Cli)?, args),
        Verb::Pin(args) => pin::pin(&open(Role::Cli)?, &args),
        Verb::Unpin(args) => pin::unpin(&open(Role::Cli)?, &args),
        Verb::Pins(args) => pin::pins(&open(Role::Cli)?, &args),
        // Needs no data, so that it runs anywhere.
        Verb::Plan(plan::PlanVerb::Lint(args)) => plan::lint(output, args),
        Verb::Plan(verb) => plan::plan(&open(Role::Cli)?, verb),
        Verb::Proposal(verb) => proposal::proposal(&open(Role::Cli)?, verb),
        Verb::Runs(verb) => runs::runs(&open(Role::Cli)?, verb),
        Verb::Node(verb) => node::node(&open(Role::Cli)?, verb),
        Verb::Export(args) => bundle::export(&open(Role::Cli)?, &args),
        Verb::Import(args) => bundle::import(&open(Role::Cli)?, &args),
        Verb::Inbox => inbox::inbox(&open(Role::Cli)?),
        Verb::Request(verb) => request::request(&open(Role::Cli)?, verb),
        Verb::Token(verb) => token::token(&open(Role::Cli)?, verb),
        Verb::Session(verb) => session::session(&open(Role::Cli)?, verb),
        Verb::Artifact(verb) => artifact::artifact(&open(Role::Cli)?, verb),
        Verb::Stats(args) => stats::stats(&open(Role::Cli)?, args),
        Verb::Agents(args) => agents::agents(output, &args, || open(Role::Cli)),
        Verb::Doctor => doctor::doctor(&open(Role::Cli)?),
        Verb::Executors => executors::executors(&open(Role::Cli)?),
        Verb::Worktrees(verb) => worktrees::worktrees(&open(Role::Cli)?, verb),
        Verb::Worker(args) => worker::worker(&open(Role::Worker)?, &args),
        Verb::Serve(args) => serve::serve(&open(Role::Server)?, args),
        Verb::Mcp(args) => mcp::mcp(&open(Role::Cli)?, &args),
        Verb::Call(args) if args.list => call::list(output),
        Verb::Call(args) => call::call(&open(Role::Cli)?, args),
        Verb::Licenses => licenses::licenses(output),
        Verb::Help(args) => help::help(output, &args, Arguments::command()),
        Verb::Completions(args) => completions::completions(output, args, Arguments::command()),
    }
}
