//! `baton agents guard-call`: the program that a connected agent runs before each tool call.
//!
//! A session that Baton started has its own rules, which the guard leaves alone.

use std::io::Read as _;
use std::path::Path;

use baton_agents::scope::describe_call;
use baton_agents::tool_name::same_tool;
use baton_api::GuardedCallLog;
use baton_api::wire::*;
use baton_formats::agent_config::{GuardMode, HookFile, agent_setups};
use baton_model::Timestamp;
use baton_secrets::Secrets;
use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use super::guard_argument::GuardArgument;
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;

/// The largest call that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Check a tool call of an agent that works without a plan (agents run this)
#[derive(Debug, Args)]
pub(crate) struct GuardCallArgs {
    /// The agent that makes the call
    #[arg(long)]
    agent: String,
    /// What happens if the tool is guarded
    #[arg(long, value_enum)]
    mode: GuardArgument,
}

/// What the agent is about to do, as it writes it to the hook's standard input.
#[derive(Debug, Deserialize)]
struct HookInput {
    tool_name: String,
    #[serde(default)]
    tool_input: Value,
    #[serde(default)]
    cwd: Option<String>,
    #[serde(default)]
    session_id: Option<String>,
}

/// Checks one call. The answer is on standard output, and the exit code is 0 even if the call is
/// refused: agents take other codes for a hook that failed.
pub(crate) fn guard_call<'a>(
    output: &Output,
    args: &GuardCallArgs,
    open: impl FnOnce() -> Result<Client<'a>, Failure>,
) -> Result<Exit, Failure> {
    let Some(mode) = GuardChoice::from(args.mode).mode() else {
        return Ok(Exit::Done);
    };
    let refusal = match check(args, mode, open) {
        Ok(refusal) => refusal,
        // A guard that can't check refuses; one that only records lets the call run.
        Err(failure) if mode == GuardMode::Block => Some(unchecked(&failure)),
        Err(failure) => {
            output.note(&unchecked(&failure));
            None
        }
    };
    match (refusal, hook_file(&args.agent)) {
        (Some(reason), Some(hooks)) => output.line(&hooks.refusal(&reason).to_string())?,
        // Every agent reads an empty object as an answer without a decision.
        _ => output.line("{}")?,
    }
    Ok(Exit::Done)
}

/// Records a call of a guarded tool. Returns why it is refused.
fn check<'a>(
    args: &GuardCallArgs,
    mode: GuardMode,
    open: impl FnOnce() -> Result<Client<'a>, Failure>,
) -> Result<Option<String>, Failure> {
    let input = read_input()?;
    let client = open()?;
    if client.is_in_session() || !is_guarded(&client, &input)? {
        return Ok(None);
    }
    let refused = mode == GuardMode::Block;
    let call = GuardedCall {
        at: Timestamp(jiff::Timestamp::now().as_millisecond()),
        agent: args.agent.clone(),
        what: masked(&describe_call(&input.tool_name, &input.tool_input)),
        tool: input.tool_name,
        cwd: input.cwd,
        session: input.session_id,
        refused,
    };
    let added = GuardedCallLog::new(client.data_dir()).add(&call);
    added.map_err(|error| Failure::Operation {
        doing: "record the call".to_owned(),
        error,
    })?;
    Ok(refused.then(|| refusal(&call.tool)))
}

fn read_input() -> Result<HookInput, Failure> {
    let mut text = Vec::new();
    let read = std::io::stdin().take(MAX_BYTES).read_to_end(&mut text);
    read.map_err(|source| Failure::System {
        doing: "read the call",
        source,
    })?;
    serde_json::from_slice(&text)
        .map_err(|error| Failure::Usage(format!("the call can't be read: {error}")))
}

/// Whether a person guards the tool, in the settings or in the rules of the project.
fn is_guarded(client: &Client<'_>, input: &HookInput) -> Result<bool, Failure> {
    let guards = |tools: &[String]| tools.iter().any(|tool| same_tool(tool, &input.tool_name));
    let settings: Settings = client.ask("read the guarded tools", "settings_get", &Nothing {})?;
    if guards(&settings.guarded_tools.unwrap_or_default()) {
        return Ok(true);
    }
    let Some(cwd) = input.cwd.as_deref().map(Path::new) else {
        return Ok(false);
    };
    let projects: Vec<PlanFilesProject> =
        client.ask("read the rules of projects", "plan_files_list", &Nothing {})?;
    let mut around = projects
        .iter()
        .filter(|project| cwd.starts_with(&project.directory));
    Ok(around.any(|project| guards(&project.rules.guarded_tools)))
}

fn masked(text: &str) -> String {
    let variables: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let pairs = variables.iter();
    let secrets =
        Secrets::from_environment(pairs.map(|(name, value)| (name.as_str(), value.as_str())));
    secrets.mask_text(text).into_owned()
}

/// The settings of an agent, which know how it reads answers.
fn hook_file(agent: &str) -> Option<HookFile> {
    let setups = agent_setups(Path::new("/"), &|_| None);
    let setup = setups.into_iter().find(|setup| setup.id == agent)?;
    setup.hooks
}

fn refusal(tool: &str) -> String {
    format!(
        "{tool} is a guarded tool, and no plan covers this call. Propose a plan with Baton's tool \
         plan_propose and wait: a person approves it, and its run makes the call. Work that needs \
         no guarded tool can go on."
    )
}

fn unchecked(failure: &Failure) -> String {
    format!(
        "Baton couldn't check whether this tool is guarded: {failure}. Ask a person to run `baton \
         doctor`, or to remove the guard with `baton agents connect --guard off`."
    )
}
