//! Prepares agent sessions: the work of a node, a decision, a review, a selection question, or a
//! conflict.

use std::path::Path;
use std::sync::Arc;

use baton_agents::{Adapter, Task, ToolScope};
use baton_model::SessionId;
use baton_model::arbiter::{self, team_name};
use baton_model::node::{AgentTask, Criterion, DecisionTask, Node, NodeKind};
use baton_model::outcome::Failure;
use uuid::Uuid;

use super::directory::{directory, shared_directory};
use super::handoff_context::{ContextSources, context};
use super::program::Program;
use super::text::fill;
use super::{PreparedSession, session_resume, session_tools};
use crate::agents::AgentRegistry;
use crate::checkout::NodeWorktree;
use crate::job::{Job, Question};
use crate::prompt::{MERGE_QUESTION, merge_prompt, task_prompt};
use crate::session_folder::{CONTEXT_FILE, session_folder};
use crate::session_services::SessionServices;
use crate::template::Outputs;
use crate::{decision, planning, review};

pub(super) fn prepare_decision(
    job: &Job,
    node: &Node,
    task: &DecisionTask,
    outputs: &Outputs,
    services: &SessionServices,
) -> Result<PreparedSession, Failure> {
    let asked = AgentTask {
        agent: task.agent.clone(),
        model: task.model.clone(),
        prompt: task.prompt.clone(),
        tool_scope: None,
        session: None,
    };
    let node = decision::to_agent_node(node, task);
    prepare_agent(
        job,
        &node,
        &asked,
        outputs,
        &decision::question(task),
        services,
    )
}

pub(super) fn prepare_agent(
    job: &Job,
    node: &Node,
    task: &AgentTask,
    outputs: &Outputs,
    last_question: &str,
    services: &SessionServices,
) -> Result<PreparedSession, Failure> {
    let agent = agent_of(job.agent(task.agent.as_deref()), &services.agents)?;
    let directory = directory(job, node, services, None)?;
    let (node, task) = filled(node, task, outputs)?;
    let (resume, prompt) = match (
        &node.kind,
        session_resume::resumed_session(job, agent.as_ref())?,
    ) {
        (_, Some((resume, prompt))) => (Some(resume), prompt),
        (NodeKind::Planning(task), None) => planning::session_start(task, agent.as_ref()),
        (_, None) => {
            let file = session_folder(&services.data_directory, job.session).join(CONTEXT_FILE);
            let received = ContextSources::new(&job.run, node.id, &job.background);
            let place = directory.display().to_string();
            let file = file.display().to_string();
            let prompt = task_prompt(
                &job.run.plan,
                &node,
                &task,
                &place,
                &file,
                &received.as_received(),
            );
            (session_resume::earlier(&task, agent.as_ref())?, prompt)
        }
    };
    let tool_server = session_tools::tool_server(job, &node, agent.as_ref(), services);
    let order = Task {
        session: job.session.0,
        cwd: directory.display().to_string(),
        prompt: prompt.clone(),
        resume,
        model: task.model.clone(),
        scope: ToolScope {
            has_session_tools: tool_server.is_some(),
            ..scope_of(job, &node, &task, &services.agents)
        },
        tool_server,
        handoff_prompt: last_question.to_owned(),
    };
    Ok(PreparedSession::new(
        Program::Agent { agent, task: order },
        directory,
        prompt,
        context(job, &node),
    ))
}

fn agent_of(name: Option<&str>, agents: &AgentRegistry) -> Result<Arc<dyn Adapter>, Failure> {
    agents.find(name).ok_or_else(|| {
        let name = name.map_or_else(|| agents.default_name(), str::to_owned);
        if let Some(team) = team_name(&name) {
            let detail = format!(
                "there is no team '{team}': choose another one in the node, or add it in Settings"
            );
            return Failure::NotStarted { detail };
        }
        let detail = format!(
            "there is no agent '{name}': choose another one in the node, or add it in Settings"
        );
        Failure::NotStarted { detail }
    })
}

/// The session of a reviewer, in the working directory. It should only read, and is restricted to
/// that as far as its agent supports it.
pub(crate) fn prepare_review(
    job: &Job,
    name: &str,
    model: Option<String>,
    prompt: &str,
    last_question: &str,
    directory: &Path,
    services: &SessionServices,
) -> Result<PreparedSession, Failure> {
    let session = review::reviewer_session_id(job.session);
    prepare_guest(
        session,
        name,
        model,
        prompt,
        last_question,
        directory,
        services,
    )
}

/// A session of the agent `name` other than the work of a node. It only reads.
fn prepare_guest(
    session: Uuid,
    name: &str,
    model: Option<String>,
    prompt: &str,
    last_question: &str,
    directory: &Path,
    services: &SessionServices,
) -> Result<PreparedSession, Failure> {
    let agent = agent_of(Some(name), &services.agents)?;
    let order = Task {
        session,
        cwd: directory.display().to_string(),
        prompt: prompt.to_owned(),
        resume: None,
        tool_server: None,
        model,
        scope: review::scope(),
        handoff_prompt: last_question.to_owned(),
    };
    Ok(PreparedSession::new(
        Program::Agent { agent, task: order },
        directory.to_path_buf(),
        prompt.to_owned(),
        String::new(),
    ))
}

/// The session in which an agent is asked who executes the attempt. It should only read in the
/// plan's directory, and is restricted to that as far as its agent supports it.
pub(crate) fn prepare_question(
    job: &Job,
    question: &Question,
    services: &SessionServices,
) -> Result<PreparedSession, Failure> {
    let directory = shared_directory(&job.run.plan, None)?;
    let (closing, model) = (
        arbiter::closing_instruction(&question.asking),
        question.asking.model.clone(),
    );
    let name = &question.asking.by;
    prepare_guest(
        question_id(job.session),
        name,
        model,
        &question.prompt,
        &closing,
        &directory,
        services,
    )
}

/// The native id of the selection question for `session`, for agents that accept one.
fn question_id(session: SessionId) -> Uuid {
    Uuid::from_u128(session.0.as_u128() ^ 2)
}

/// The tool restrictions of the plan and its node.
fn scope_of(job: &Job, node: &Node, task: &AgentTask, agents: &AgentRegistry) -> ToolScope {
    let settings = &job.run.plan.settings;
    let mut guarded = settings.guarded_tools.clone();
    guarded.extend(agents.guarded_tools());
    ToolScope {
        mode: task.tool_scope.unwrap_or(settings.tool_scope),
        tools: node.tools_required.clone(),
        guarded,
        autonomy: settings.effective_autonomy(),
        has_session_tools: false,
        granted: job.granted.clone(),
    }
}

/// The session of an agent that only resolves a conflict between the work of the node's parents.
///
/// It is the node's own agent if it has one, without the node's tool restrictions: these are meant
/// for the node's work.
pub(super) fn prepare_merge(
    job: &Job,
    node: &Node,
    services: &SessionServices,
) -> Result<PreparedSession, Failure> {
    let place = NodeWorktree::of(&services.data_directory, job.run.run, node);
    let Some(open) = place.record().and_then(|record| record.open) else {
        let detail = "the conflict no longer exists: retry the node".to_owned();
        return Err(Failure::NotStarted { detail });
    };
    let task = match &node.kind {
        NodeKind::Agent(task) => AgentTask {
            prompt: String::new(),
            ..task.clone()
        },
        _ => AgentTask::default(),
    };
    let agent = agent_of(job.agent(task.agent.as_deref()), &services.agents)?;
    let prompt = merge_prompt(&open.conflict, &job.run.plan, node);
    let directory = place.path().to_path_buf();
    let order = Task {
        session: job.session.0,
        cwd: directory.display().to_string(),
        prompt: prompt.clone(),
        resume: None,
        tool_server: None,
        model: task.model.clone(),
        scope: scope_of(
            job,
            &Node {
                tools_required: Vec::new(),
                ..node.clone()
            },
            &task,
            &services.agents,
        ),
        handoff_prompt: MERGE_QUESTION.to_owned(),
    };
    Ok(PreparedSession::new(
        Program::Agent { agent, task: order },
        directory,
        prompt,
        context(job, node),
    ))
}

/// The node's own text with its templates filled in.
///
/// Handoffs from parents are plain text: braces in them stay as they are.
fn filled(node: &Node, task: &AgentTask, outputs: &Outputs) -> Result<(Node, AgentTask), Failure> {
    let fill = |text: &String| fill(text, outputs);
    let node = Node {
        description: fill(&node.description)?,
        instructions: fill(&node.instructions)?,
        acceptance_criteria: filled_criteria(&node.acceptance_criteria, outputs)?,
        ..node.clone()
    };
    Ok((
        node,
        AgentTask {
            prompt: fill(&task.prompt)?,
            ..task.clone()
        },
    ))
}

fn filled_criteria(criteria: &[Criterion], outputs: &Outputs) -> Result<Vec<Criterion>, Failure> {
    criteria
        .iter()
        .map(|criterion| Ok(criterion.with_text(fill(criterion.text(), outputs)?)))
        .collect()
}
