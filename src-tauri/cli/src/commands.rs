//! One file a group of verbs.

pub(crate) mod agents;
pub(crate) mod artifact;
pub(crate) mod call;
pub(crate) mod completions;
pub(crate) mod doctor;
pub(crate) mod executors;
pub(crate) mod help;
pub(crate) mod inbox;
pub(crate) mod licenses;
pub(crate) mod node;
pub(crate) mod plan;
pub(crate) mod proposal;
pub(crate) mod request;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod serve;
pub(crate) mod session;
pub(crate) mod stats;
pub(crate) mod token;
pub(crate) mod worker;
pub(crate) mod worktrees;

use baton_api::Role;

use crate::arguments::{Arguments, Verb};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;

/// Does what the command line says.
pub(crate) fn execute(arguments: Arguments, output: &Output) -> Result<Exit, Failure> {
    let Arguments { global, verb } = arguments;
    let open = |role| Client::open(&global, output, role);
    match verb {
        Verb::Run(args) => run::run(&open(Role::Cli)?, args),
        Verb::Resume(args) => resume::resume(&open(Role::Cli)?, args),
        Verb::Plan(verb) => plan::plan(&open(Role::Cli)?, verb),
        Verb::Proposal(verb) => proposal::proposal(&open(Role::Cli)?, verb),
        Verb::Runs(verb) => runs::runs(&open(Role::Cli)?, verb),
        Verb::Node(verb) => node::node(&open(Role::Cli)?, verb),
        Verb::Inbox => inbox::inbox(&open(Role::Cli)?),
        Verb::Request(verb) => request::request(&open(Role::Cli)?, verb),
        Verb::Token(verb) => token::token(&open(Role::Cli)?, verb),
        Verb::Session(verb) => session::session(&open(Role::Cli)?, verb),
        Verb::Artifact(verb) => artifact::artifact(&open(Role::Cli)?, verb),
        Verb::Stats(args) => stats::stats(&open(Role::Cli)?, args),
        Verb::Agents => agents::agents(&open(Role::Cli)?),
        Verb::Doctor => doctor::doctor(&open(Role::Cli)?),
        Verb::Executors => executors::executors(&open(Role::Cli)?),
        Verb::Worktrees(verb) => worktrees::worktrees(&open(Role::Cli)?, verb),
        Verb::Worker(args) => worker::worker(&open(Role::Worker)?, &args),
        Verb::Serve(args) => serve::serve(&open(Role::Server)?, args),
        Verb::Call(args) if args.list => call::list(output),
        Verb::Call(args) => call::call(&open(Role::Cli)?, args),
        Verb::Licenses => licenses::licenses(output),
        Verb::Help(args) => help::help(output, &args),
        Verb::Completions(args) => completions::completions(output, args),
    }
}
