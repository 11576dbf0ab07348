//! Shows what a session received, or what a node would receive.

use std::collections::{BTreeMap, HashMap};
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use baton_keeper::{Launch, session_file};
use baton_model::context::{self, HandoffSection};
use baton_model::node::{AgentTask, CommandLine, Node, NodeKind};
use baton_model::run::{Caller, Pin};
use baton_model::{Artifact, NodeId, Plan};

use super::handoff_context::ContextSources;
use super::text::{command_display, shell_words};
use super::tool_work;
use crate::background::Background;
use crate::job::RunContext;
use crate::prompt::task_prompt;
use crate::session_folder::{CONTEXT_FILE, PROMPT_COPY};
use crate::{decision, planning, shell_line};

/// The placeholder for the `BATON_CONTEXT` file while there is no session.
const CONTEXT_NAME: &str = "the file behind $BATON_CONTEXT";
/// The maximum number of bytes of a prompt or context that [`session_input`] reads.
const INPUT_READ_LIMIT: u64 = 2 * 1024 * 1024;

/// The input of the session in `folder`: the context document, and the prompt or command; `None`
/// before it was launched. At most 2 MiB of each.
#[must_use]
pub fn session_input(folder: &Path) -> Option<(String, String)> {
    let launch = Launch::read(folder).ok()?;
    let read = |name: &str| {
        let mut bytes = Vec::new();
        session_file::open(&folder.join(name))
            .ok()?
            .take(INPUT_READ_LIMIT)
            .read_to_end(&mut bytes)
            .ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let prompt = read(PROMPT_COPY).unwrap_or_else(|| {
        let values = launch
            .env
            .iter()
            .filter(|(name, _)| name.starts_with(shell_line::VARIABLE));
        command_display(
            &launch.argv,
            &values
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        )
    });
    Some((read(CONTEXT_FILE).unwrap_or_default(), prompt))
}

/// Returns what a node would receive if it started now: the context document, and the prompt or
/// command with its templates not filled in.
///
/// `artifacts` are the latest handoffs of the run, if there is one, `pins` the handoffs that
/// people pinned on its edges, `background` what the node receives besides, and `caller` what a
/// nested run received from its node.
pub fn preview(
    plan: &Arc<Plan>,
    node: &Node,
    artifacts: HashMap<NodeId, Arc<Artifact>>,
    pins: &BTreeMap<(NodeId, NodeId), Pin>,
    background: &Background,
    caller: Option<Arc<Caller>>,
) -> Option<(String, String)> {
    let graph = plan.graph().ok()?;
    let node = &plan.with_node_defaults(node);
    let no_run = baton_model::RunId(uuid::Uuid::nil());
    let run = RunContext::new(no_run, Arc::clone(plan), graph, artifacts).called_by(caller);
    run.set_pins(pins);
    let gathered = ContextSources::new(&run, node.id, background);
    let received = gathered.as_received();
    let place = plan.cwd.clone().unwrap_or_default();
    let prompt = match &node.kind {
        NodeKind::Agent(task) => task_prompt(plan, node, task, &place, CONTEXT_NAME, &received),
        NodeKind::LlmDecision(task) => {
            let asked = AgentTask {
                prompt: task.prompt.clone(),
                ..AgentTask::default()
            };
            let node = decision::to_agent_node(node, task);
            task_prompt(plan, &node, &asked, &place, CONTEXT_NAME, &received)
        }
        NodeKind::Command(task) => match &task.command {
            CommandLine::Shell(line) => line.clone(),
            CommandLine::Argv(words) => shell_words(words),
        },
        NodeKind::UserInput(question) => question.question.clone(),
        NodeKind::Planning(task) => planning::display_prompt(node, task),
        NodeKind::Note(_) => return None,
        kind => tool_work::outline(kind),
    };
    Some((received.document(), prompt))
}

/// Returns what `child` would receive from `parent` if it started now: the section of its prompt or
/// context file.
///
/// `artifacts` are the latest handoffs of the run, `pins` the handoffs that people pinned on its
/// edges, and `background` what the child receives besides.
pub fn preview_handoff(
    plan: &Arc<Plan>,
    (parent, child): (NodeId, NodeId),
    artifacts: HashMap<NodeId, Arc<Artifact>>,
    pins: &BTreeMap<(NodeId, NodeId), Pin>,
    background: &Background,
) -> Option<String> {
    let no_run = baton_model::RunId(uuid::Uuid::nil());
    let run = RunContext::new(no_run, Arc::clone(plan), plan.graph().ok()?, artifacts);
    run.set_pins(pins);
    let gathered = ContextSources::new(&run, child, background);
    let number = gathered
        .parents
        .iter()
        .position(|source| source.node.id == parent)?;
    let parents = gathered.as_received().parents;
    let has_prompt = plan
        .node(child)
        .is_some_and(|node| node.kind.agent().is_some());
    let mut sections = match has_prompt {
        true => context::inline_sections(parents, CONTEXT_NAME),
        false => parents.iter().map(HandoffSection::section).collect(),
    };
    Some(sections.swap_remove(number))
}
