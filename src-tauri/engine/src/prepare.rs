//! Makes an attempt ready to start: what is run, where, with which environment, and what it is told.

mod opening;
mod sandbox;
mod tool_work;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baton_agents::command::CommandSession;
use baton_agents::driver::Driver;
use baton_agents::task::PROMPT_FILE;
use baton_agents::tool::ToolSession;
use baton_agents::{Adapter, InputMessage, LaunchPlan, Quote, Task, ToolScope};
use baton_keeper::{Launch, LaunchError, session_file};
use baton_model::arbiter::{self, team_name};
use baton_model::context::{self, AttemptReport, FailureReport, HandedOn, Received};
use baton_model::node::{
    AgentTask, CommandLine, CommandTask, Criterion, DecisionTask, Node, NodeKind,
};
use baton_model::outcome::Failure;
use baton_model::problem::unsafe_values;
use baton_model::run::{Allowance, Caller, Pin, Section};
use baton_model::shell::{self, UnsafeValue};
use baton_model::template_text::LoopScope;
use baton_model::{Artifact, LoopRound, NodeId, Plan, SandboxMode, SessionId};
use baton_tools::Work;
use uuid::Uuid;

use crate::agents::AgentRegistry;
use crate::background::Background;
use crate::checkout::{self, CheckoutError, Place};
use crate::crash_point::crash_point;
use crate::decision;
use crate::environment::secrets_of;
use crate::job::{Job, Question, RunContext, data_directory_of, session_folder};
use crate::planning;
use crate::prompt::{HANDOFF_PROMPT, MERGE_QUESTION, merge_prompt, task_prompt};
use crate::review;
use crate::shell_line;
use crate::template::{self, NodeTexts, Outputs, TemplateError};
use crate::workshop::Workshop;

/// The file with what a node receives from its parents, in its session's folder.
pub(crate) const CONTEXT_FILE: &str = "context.md";
/// The file with the prompt or command as the attempt got it.
pub(crate) const PROMPT_COPY: &str = "prompt.md";
/// The file behind `BATON_CONTEXT`, as long as there is no session for it.
const CONTEXT_NAME: &str = "the file behind $BATON_CONTEXT";
/// What runs a command that is written as one line.
const SHELL: &str = "/bin/sh";
/// What stands for an empty context document.
const NOTHING: &str = "/dev/null";
/// The most of a prompt or context that [`given`] reads.
const GIVEN_LIMIT: u64 = 2 * 1024 * 1024;
/// The file with the prompt, for agents that read it from one.
const PROMPT_FILE_NAME: &str = "prompt.txt";
/// The file that tells `baton-tool` what to do.
const WORK_FILE: &str = "work.json";
/// What the attempt touched, in the session's folder: for the attempts that continue its conversation.
pub(crate) const FILES_TOUCHED: &str = "files-touched.json";
/// The file to which a node writes named outputs.
pub(crate) const OUTPUT_FILE: &str = "output";
/// Every file of a session's folder. Where something else lies, the attempt has failed. The keeper's socket is none.
pub(crate) const SESSION_FILES: [&str; 13] = [
    baton_keeper::LAUNCH,
    baton_keeper::CLAIM,
    baton_keeper::STDOUT,
    baton_keeper::STDERR,
    baton_keeper::CLOCK,
    baton_keeper::INPUT,
    baton_keeper::EXIT,
    CONTEXT_FILE,
    PROMPT_COPY,
    PROMPT_FILE_NAME,
    WORK_FILE,
    OUTPUT_FILE,
    FILES_TOUCHED,
];

/// How to read and drive a session; made anew when a session is found again after a crash.
pub(crate) struct Reading {
    /// Who reads and answers the session.
    pub(crate) driver: Box<dyn Driver>,
    /// The agent, when there is one.
    pub(crate) agent: Option<Arc<dyn Adapter>>,
    /// The order of the day for the agent.
    task: Option<Task>,
    directory: PathBuf,
    told: String,
    context: String,
    command: Option<(Vec<String>, BTreeMap<String, String>)>,
    /// The work file, when it is `baton-tool` that runs.
    work: Option<Work>,
    /// The node's worktree, when it has one.
    place: Option<Place>,
}

/// Puts together what `job` is told. Reads the handoffs of its parents, writes nothing.
pub(crate) fn read(job: &Job, node: &Node, workshop: &Workshop) -> Result<Reading, Failure> {
    let mut reading = read_kind(job, node, workshop)?;
    let place = || Place::of(&workshop.data_directory, job.run.run, node);
    reading.place = checkout::is_isolated(job, node).then(place);
    Ok(reading)
}

fn read_kind(job: &Job, node: &Node, workshop: &Workshop) -> Result<Reading, Failure> {
    if !job.merges() {
        refuse_unsafe_values(node)?;
    }
    let outputs = outputs_for(job, node);
    match &node.kind {
        _ if job.merges() => read_merge(job, node, workshop),
        NodeKind::Command(task) => read_command(job, node, task, &outputs.for_programs(), workshop),
        NodeKind::Agent(task) => read_agent(job, node, task, &outputs, HANDOFF_PROMPT, workshop),
        NodeKind::LlmDecision(task) => read_decision(job, node, task, &outputs, workshop),
        NodeKind::Planning(task) => {
            let asked = planning::as_agent_task(task);
            read_agent(job, node, &asked, &outputs, &task.question, workshop)
        }
        kind => match tool_work::task_of(kind, &outputs.for_programs(), job.values.clone())? {
            Some(task) => read_work(job, node, task, workshop),
            None => Err(Failure::BadInput {
                detail: format!("a {} has no session of its own", kind.word()),
            }),
        },
    }
}

/// Refuses a node of a plan that was approved before such places were known.
fn refuse_unsafe_values(node: &Node) -> Result<(), Failure> {
    unsafe_values(node)
        .next()
        .map_or(Ok(()), |(_, value)| Err(not_data(&value)))
}

fn not_data(UnsafeValue { expression, place }: &UnsafeValue) -> Failure {
    Failure::BadInput {
        detail: format!("the node puts `{{{{{expression}}}}}` {place}"),
    }
}

/// A text without a zero byte, which no program can be given.
fn without_zero(text: String) -> Result<String, Failure> {
    if !text.contains('\0') {
        return Ok(text);
    }
    let detail = "a value in the command holds a zero byte, which no program can be given: let the node that writes it leave that out";
    Err(Failure::BadInput {
        detail: detail.to_owned(),
    })
}

fn read_decision(
    job: &Job,
    node: &Node,
    task: &DecisionTask,
    outputs: &Outputs,
    workshop: &Workshop,
) -> Result<Reading, Failure> {
    let asked = AgentTask {
        agent: task.agent.clone(),
        model: task.model.clone(),
        prompt: task.prompt.clone(),
        tool_scope: None,
        session: None,
    };
    let node = decision::as_agent_node(node, task);
    read_agent(
        job,
        &node,
        &asked,
        outputs,
        &decision::question(task),
        workshop,
    )
}

fn read_work(
    job: &Job,
    node: &Node,
    task: baton_tools::Task,
    workshop: &Workshop,
) -> Result<Reading, Failure> {
    let directory = directory(job, node, workshop, None)?;
    tool_work::refuse_unnamed(&job.run.plan, &node.kind, &task, &directory)?;
    let work = Work {
        task,
        servers: tool_work::servers_for(&node.kind, workshop.tools.servers()),
        directory: directory.clone(),
        data_directory: workshop.data_directory.clone(),
        baton: workshop.tools.baton().clone(),
    };
    let program = workshop.tools.program().display().to_string();
    Ok(Reading {
        driver: Box::new(ToolSession::default()),
        agent: None,
        task: None,
        directory,
        told: tool_work::told(&work),
        context: context(job, node),
        command: Some((vec![program, "run".to_owned()], BTreeMap::new())),
        work: Some(work),
        place: None,
    })
}

fn read_command(
    job: &Job,
    node: &Node,
    task: &CommandTask,
    outputs: &Outputs,
    workshop: &Workshop,
) -> Result<Reading, Failure> {
    let fill = |text: &String| fill(text, outputs).and_then(without_zero);
    let (argv, values) = match &task.command {
        CommandLine::Shell(line) => filled_line(line, outputs)?,
        CommandLine::Argv(words) => (
            words.iter().map(fill).collect::<Result<_, _>>()?,
            BTreeMap::new(),
        ),
    };
    let told = told(&argv, &values);
    let mut env = values;
    for (name, value) in &task.env {
        env.insert(name.clone(), fill(value)?);
    }
    Ok(Reading {
        driver: Box::new(CommandSession::default()),
        agent: None,
        task: None,
        directory: directory(job, node, workshop, task.cwd.as_deref())?,
        told,
        context: context(job, node),
        command: Some((argv, env)),
        work: None,
        place: None,
    })
}

/// How the shell is started with `line`, and the variables that it sees.
fn filled_line(
    line: &str,
    outputs: &Outputs,
) -> Result<(Vec<String>, BTreeMap<String, String>), Failure> {
    let (line, values) = shell_line::fill(line, outputs).map_err(bad_input)?;
    for value in values.values() {
        without_zero(value.clone())?;
    }
    Ok((vec![SHELL.to_owned(), "-c".to_owned(), line], values))
}

fn read_agent(
    job: &Job,
    node: &Node,
    task: &AgentTask,
    outputs: &Outputs,
    last_question: &str,
    workshop: &Workshop,
) -> Result<Reading, Failure> {
    let agent = agent_of(job.agent(task.agent.as_deref()), &workshop.agents)?;
    let directory = directory(job, node, workshop, None)?;
    let (node, task) = filled(node, task, outputs)?;
    let (resume, prompt) = match (&node.kind, opening::goes_on(job, agent.as_ref())?) {
        (_, Some((resume, prompt))) => (Some(resume), prompt),
        (NodeKind::Planning(task), None) => planning::opening(task, agent.as_ref()),
        (_, None) => {
            let file = session_folder(&workshop.data_directory, job.session).join(CONTEXT_FILE);
            let received = Gathered::new(&job.run, node.id, &job.background);
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
            (opening::earlier(&task, agent.as_ref())?, prompt)
        }
    };
    let order = Task {
        session: job.session.0,
        cwd: directory.display().to_string(),
        prompt: prompt.clone(),
        resume,
        model: task.model.clone(),
        scope: scope_of(job, &node, &task, &workshop.agents),
        handoff_prompt: last_question.to_owned(),
    };
    Ok(Reading {
        driver: agent.driver(&order),
        agent: Some(agent),
        task: Some(order),
        directory,
        told: prompt,
        context: context(job, &node),
        command: None,
        work: None,
        place: None,
    })
}

fn agent_of(name: Option<&str>, agents: &AgentRegistry) -> Result<Arc<dyn Adapter>, Failure> {
    agents.find(name).ok_or_else(|| {
        let name = name.map_or_else(|| agents.default_name(), str::to_owned);
        if let Some(team) = team_name(&name) {
            let detail = format!("there is no team '{team}': choose another in the node, or define it in the settings");
            return Failure::NotStarted { detail };
        }
        let detail = format!("there is no agent '{name}': choose another in the node, or define it in the settings");
        Failure::NotStarted { detail }
    })
}

/// How the command of an acceptance criterion is run, in the directory of the work.
pub(crate) fn read_check(job: &Job, line: &str, directory: &Path) -> Result<Reading, Failure> {
    let outputs = if template::is_template(line) {
        outputs_of(&job.run, &job.background)
    } else {
        Outputs::default()
    };
    if let Some(value) = shell::unsafe_values(line, &BTreeMap::new(), LoopScope::Body)
        .into_iter()
        .next()
    {
        return Err(not_data(&value));
    }
    let (argv, values) = filled_line(line, &outputs)?;
    Ok(Reading {
        driver: Box::new(CommandSession::default()),
        agent: None,
        task: None,
        directory: directory.to_path_buf(),
        told: told(&argv, &values),
        context: String::new(),
        command: Some((argv, values)),
        work: None,
        place: None,
    })
}

/// How a reviewer is asked, in the directory of the work. It reads, and changes nothing, as far as its agent can be held to that.
pub(crate) fn read_review(
    job: &Job,
    name: &str,
    model: Option<String>,
    prompt: &str,
    last_question: &str,
    directory: &Path,
    workshop: &Workshop,
) -> Result<Reading, Failure> {
    let agent = agent_of(Some(name), &workshop.agents)?;
    let order = Task {
        session: review::session_of(job.session),
        cwd: directory.display().to_string(),
        prompt: prompt.to_owned(),
        resume: None,
        model,
        scope: review::scope(),
        handoff_prompt: last_question.to_owned(),
    };
    Ok(Reading {
        driver: agent.driver(&order),
        agent: Some(agent),
        task: Some(order),
        directory: directory.to_path_buf(),
        told: prompt.to_owned(),
        context: String::new(),
        command: None,
        work: None,
        place: None,
    })
}

/// How the agent is asked who chooses the agent of the attempt. It reads in the plan's directory, and changes nothing,
/// as far as it can be held to that.
pub(crate) fn read_question(
    job: &Job,
    question: &Question,
    workshop: &Workshop,
) -> Result<Reading, Failure> {
    let directory = shared_directory(&job.run.plan, None)?;
    let (closing, model) = (
        arbiter::closing(&question.asking),
        question.asking.model.clone(),
    );
    let name = &question.asking.by;
    let mut reading = read_review(
        job,
        name,
        model,
        &question.prompt,
        &closing,
        &directory,
        workshop,
    )?;
    if let (Some(order), Some(agent)) = (&mut reading.task, &reading.agent) {
        order.session = asker_of(job.session);
        reading.driver = agent.driver(order);
    }
    Ok(reading)
}

/// What the agent itself calls the session in which it is asked for the agent of `session`, where it lets itself be told.
fn asker_of(session: SessionId) -> Uuid {
    Uuid::from_u128(session.0.as_u128() ^ 2)
}

/// What the plan and its node say about tools.
fn scope_of(job: &Job, node: &Node, task: &AgentTask, agents: &AgentRegistry) -> ToolScope {
    let settings = &job.run.plan.settings;
    let mut guarded = settings.guarded_tools.clone();
    guarded.extend(agents.guarded_tools());
    ToolScope {
        mode: task.tool_scope.unwrap_or(settings.tool_scope),
        tools: node.tools_required.clone(),
        guarded,
        autonomy: settings.effective_autonomy(),
        granted: job.granted.clone(),
    }
}

/// The session of an agent that settles a conflict between the work of the node's parents, and does nothing else.
///
/// It is the node's own agent where there is one, without the node's limits on tools: these are meant for the node's work.
fn read_merge(job: &Job, node: &Node, workshop: &Workshop) -> Result<Reading, Failure> {
    let place = Place::of(&workshop.data_directory, job.run.run, node);
    let Some(open) = place.record().and_then(|record| record.open) else {
        let detail = "the conflict that was to be settled is gone: retry the node".to_owned();
        return Err(Failure::NotStarted { detail });
    };
    let task = match &node.kind {
        NodeKind::Agent(task) => AgentTask {
            prompt: String::new(),
            ..task.clone()
        },
        _ => AgentTask::default(),
    };
    let agent = agent_of(job.agent(task.agent.as_deref()), &workshop.agents)?;
    let prompt = merge_prompt(&open.conflict, &job.run.plan, node);
    let directory = place.path().to_path_buf();
    let order = Task {
        session: job.session.0,
        cwd: directory.display().to_string(),
        prompt: prompt.clone(),
        resume: None,
        model: task.model.clone(),
        scope: scope_of(
            job,
            &Node {
                tools_required: Vec::new(),
                ..node.clone()
            },
            &task,
            &workshop.agents,
        ),
        handoff_prompt: MERGE_QUESTION.to_owned(),
    };
    Ok(Reading {
        driver: agent.driver(&order),
        agent: Some(agent),
        task: Some(order),
        directory,
        told: prompt,
        context: context(job, node),
        command: None,
        work: None,
        place: None,
    })
}

/// The node's own words with their templates filled in.
///
/// Only these: what parents hand on is a text, and whatever stands in its braces stays there.
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
        .map(|criterion| Ok(criterion.with_words(fill(criterion.words(), outputs)?)))
        .collect()
}

/// What a node receives, held together so that the document about it can be made.
struct Gathered<'a> {
    passed_on: Vec<Section>,
    parents: Vec<Source<'a>>,
    others: Vec<Source<'a>>,
    earlier: &'a [AttemptReport],
}

/// A node that hands something on.
struct Source<'a> {
    node: &'a Node,
    artifact: Option<Arc<Artifact>>,
    failure: Option<&'a FailureReport>,
}

impl Source<'_> {
    fn handed_on(&self) -> HandedOn<'_> {
        HandedOn {
            title: &self.node.title,
            artifact: self.artifact.as_deref(),
            failure: self.failure,
        }
    }
}

impl<'a> Gathered<'a> {
    fn new(run: &'a RunContext, node: NodeId, background: &'a Background) -> Self {
        let failure = |other: NodeId| background.failure(other).map(Arc::as_ref);
        let parents = run.parents(node).into_iter().map(|(parent, artifact)| {
            // What a person settled stands in place of a failure too.
            let failure = failure(parent.id).filter(|_| !run.is_pinned(parent.id, node));
            Source {
                node: parent,
                artifact,
                failure,
            }
        });
        let others = background.others().iter().filter_map(|&other| {
            let node = run.plan.node(other)?;
            Some(Source {
                node,
                artifact: run.artifact(other),
                failure: failure(other),
            })
        });
        let passed_on = run.passed_on(node);
        Self {
            passed_on,
            parents: parents.collect(),
            others: others.collect(),
            earlier: background.earlier(),
        }
    }

    fn as_received(&self) -> Received<'_> {
        Received {
            passed_on: self.passed_on.clone(),
            parents: self.parents.iter().map(Source::handed_on).collect(),
            others: self.others.iter().map(Source::handed_on).collect(),
            earlier: self.earlier,
        }
    }
}

fn context(job: &Job, node: &Node) -> String {
    Gathered::new(&job.run, node.id, &job.background)
        .as_received()
        .document()
}

/// What the run of another plan gets from the node of `job` that stands for it; `round` is the iteration of a loop.
pub(crate) fn caller(
    job: &Job,
    node: &Node,
    session: SessionId,
    round: Option<LoopRound>,
    allowance: Allowance,
) -> Result<Caller, Failure> {
    let prompt = node
        .kind
        .sub_plan()
        .map(|task| task.prompt.as_str())
        .unwrap_or_default();
    let mut outputs = outputs_for(job, node);
    outputs.round = round.clone().or(outputs.round);
    let gathered = Gathered::new(&job.run, node.id, &job.background);
    let received = gathered.as_received();
    let parents = received.parents.iter().map(Section::from);
    Ok(Caller {
        title: node.title.clone(),
        session,
        spent_before: job.spent_before,
        prompt: fill(prompt, &outputs)?,
        received: received.passed_on.iter().cloned().chain(parents).collect(),
        round,
        autonomy: job.run.plan.settings.effective_autonomy(),
        allowance,
    })
}

/// What the session in `folder` was given: the context document, and the prompt or command; `None` before it was
/// launched. At most 2 MiB of each.
#[must_use]
pub fn given(folder: &Path) -> Option<(String, String)> {
    let launch = Launch::read(folder).ok()?;
    let read = |name: &str| {
        let mut bytes = Vec::new();
        session_file::open(&folder.join(name))
            .ok()?
            .take(GIVEN_LIMIT)
            .read_to_end(&mut bytes)
            .ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let told = read(PROMPT_COPY).unwrap_or_else(|| {
        let values = launch
            .env
            .iter()
            .filter(|(name, _)| name.starts_with(shell_line::VARIABLE));
        told(
            &launch.argv,
            &values
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        )
    });
    Some((read(CONTEXT_FILE).unwrap_or_default(), told))
}

/// A command as it is sent, for people: the line or the words, and below them the values that the line refers to.
fn told(argv: &[String], values: &BTreeMap<String, String>) -> String {
    let mut told = match argv {
        [shell, option, line] if shell == SHELL && option == "-c" => line.clone(),
        argv => shell_words(argv),
    };
    for (name, value) in values {
        told.extend(["\n", name, "=", value]);
    }
    told
}

/// What a node would receive if it started now: the context document, and the prompt or command with its
/// templates still in place.
///
/// `artifacts` are the latest handoffs of the run, if there is one, `pins` what persons settled for its edges, and
/// `background` what the node is told beside, and `caller` what the run got from the node for which it stands.
pub fn preview(
    plan: &Arc<Plan>,
    node: &Node,
    artifacts: HashMap<NodeId, Arc<Artifact>>,
    pins: &BTreeMap<(NodeId, NodeId), Pin>,
    background: &Background,
    caller: Option<Arc<Caller>>,
) -> Option<(String, String)> {
    let graph = plan.graph().ok()?;
    let nobody = baton_model::RunId(uuid::Uuid::nil());
    let run = RunContext::new(nobody, Arc::clone(plan), graph, artifacts).called_by(caller);
    run.put_pins(pins);
    let gathered = Gathered::new(&run, node.id, background);
    let received = gathered.as_received();
    let place = plan.cwd.clone().unwrap_or_default();
    let told = match &node.kind {
        NodeKind::Agent(task) => task_prompt(plan, node, task, &place, CONTEXT_NAME, &received),
        NodeKind::LlmDecision(task) => {
            let asked = AgentTask {
                prompt: task.prompt.clone(),
                ..AgentTask::default()
            };
            let node = decision::as_agent_node(node, task);
            task_prompt(plan, &node, &asked, &place, CONTEXT_NAME, &received)
        }
        NodeKind::Command(task) => match &task.command {
            CommandLine::Shell(line) => line.clone(),
            CommandLine::Argv(words) => shell_words(words),
        },
        NodeKind::UserInput(question) => question.question.clone(),
        NodeKind::Planning(task) => planning::told(node, task),
        NodeKind::Note(_) => return None,
        kind => tool_work::outline(kind),
    };
    Some((received.document(), told))
}

/// What `child` would receive from `parent` if it started now: the section of its prompt or context file.
///
/// `artifacts` are the latest handoffs of the run, `pins` what persons settled for its edges, and `background` what
/// the child is told beside.
pub fn handed_over(
    plan: &Arc<Plan>,
    (parent, child): (NodeId, NodeId),
    artifacts: HashMap<NodeId, Arc<Artifact>>,
    pins: &BTreeMap<(NodeId, NodeId), Pin>,
    background: &Background,
) -> Option<String> {
    let nobody = baton_model::RunId(uuid::Uuid::nil());
    let run = RunContext::new(nobody, Arc::clone(plan), plan.graph().ok()?, artifacts);
    run.put_pins(pins);
    let gathered = Gathered::new(&run, child, background);
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
        false => parents.iter().map(HandedOn::section).collect(),
    };
    Some(sections.swap_remove(number))
}

impl Reading {
    /// Where the session works.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The prompt or command line, for people.
    pub(crate) fn told(&self) -> &str {
        &self.told
    }

    /// Writes the session's folder, so that a keeper can start.
    ///
    /// A folder that a crash left half-made is made whole. Whether its keeper is on its way meanwhile does not
    /// matter: of two keepers in one folder only one starts anything.
    pub(crate) fn write(
        &self,
        job: &Job,
        node: &Node,
        folder: &Path,
        data_directory: &Path,
        base: &BTreeMap<String, String>,
    ) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        // A command is in the launch already, and a node without parents receives nothing: with many short
        // nodes each file counts.
        if !self.context.is_empty() {
            session_file::write(&folder.join(CONTEXT_FILE), &self.context)?;
        }
        if self.task.is_some() || self.work.is_some() {
            // The agent has the words whole; this copy is for people.
            session_file::write(
                &folder.join(PROMPT_COPY),
                secrets_of(base).mask(self.told.as_bytes()),
            )?;
        }
        if let Some(work) = &self.work {
            // The servers' headers and variables may hold keys.
            session_file::write(&folder.join(WORK_FILE), serde_json::to_vec(work)?)?;
        }
        crash_point("half a folder");
        let mut plan = self.launch_plan(folder)?;
        self.prepare_worktree(job, &mut plan)?;
        let mut env = base.clone();
        env.retain(|name, _| !plan.env_remove.iter().any(|pattern| matches(pattern, name)));
        env.extend(plan.env);
        env.extend(self.variables(job, folder));
        let launch = Launch {
            argv: plan.argv,
            cwd: self.directory.clone(),
            env,
            mark: job.session.to_string(),
            stdin: match plan.stdin {
                baton_agents::Stdin::Piped => baton_keeper::Stdin::Pipe,
                baton_agents::Stdin::Null => baton_keeper::Stdin::Null,
            },
            first_input: plan.first_inputs.into_iter().map(keeper_input).collect(),
            timeout_ms: job.run.plan.timeout_ms_of(node),
            grace_ms: 3000,
            sandbox: match node.sandbox_in(&job.run.plan.settings) {
                SandboxMode::On => self.sandbox(folder, data_directory),
                SandboxMode::Off => None,
            },
        };
        if !folder.join(baton_keeper::LAUNCH).exists() {
            return launch.write(folder).map_err(cause);
        }
        // A keeper that is on its way must find the old one or the new one, and never half of one.
        let fresh = folder.join("fresh");
        fs::create_dir_all(&fresh)?;
        let path = fresh.join(baton_keeper::LAUNCH);
        if path.exists() {
            fs::remove_file(&path)?;
        }
        launch.write(&fresh).map_err(cause)?;
        fs::rename(path, folder.join(baton_keeper::LAUNCH))?;
        fs::remove_dir(fresh)
    }

    /// Lets the line of the plan that makes a worktree ready run before the session's own program, once in each worktree. It runs in
    /// the keeper's hands, so that limits, cancel and timelines hold for it too; what it prints is standard error.
    fn prepare_worktree(&self, job: &Job, plan: &mut LaunchPlan) -> io::Result<()> {
        let Some(place) = &self.place else {
            return Ok(());
        };
        plan.env.push((
            "BATON_WORKTREE".to_owned(),
            place.path().display().to_string(),
        ));
        let line = job
            .run
            .plan
            .settings
            .worktree_setup
            .as_deref()
            .unwrap_or_default();
        // Files with conflict markers in them are no ground to build on.
        if job.merges() || line.trim().is_empty() || place.is_prepared() {
            return Ok(());
        }
        // The session may change this file, and make no other beside its worktree.
        fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(place.prepared())?;
        let script = "if (cd \"$BATON_WORKTREE\" && eval \"$1\") </dev/null >&2; then echo prepared > \"$2\"; shift 2; exec \"$@\"; \
                      else code=$?; echo 'the worktree could not be prepared' >&2; exit $code; fi";
        let marker = place.prepared().display().to_string();
        let words = [SHELL, "-c", script, "baton", line, &marker].map(str::to_owned);
        plan.argv = words
            .into_iter()
            .chain(std::mem::take(&mut plan.argv))
            .collect();
        Ok(())
    }

    /// The variables that every session gets (product §8).
    fn variables(&self, job: &Job, folder: &Path) -> [(String, String); 7] {
        let file = |name: &str| folder.join(name).display().to_string();
        let context = if self.context.is_empty() {
            NOTHING.to_owned()
        } else {
            file(CONTEXT_FILE)
        };
        [
            // So that `baton` in the session means the Baton that runs it.
            (
                "BATON_DATA_DIR",
                data_directory_of(folder).display().to_string(),
            ),
            ("BATON_PLAN_ID", job.run.plan.id.to_string()),
            ("BATON_RUN_ID", job.run.run.to_string()),
            ("BATON_NODE_ID", job.node.to_string()),
            ("BATON_ATTEMPT", job.attempt.to_string()),
            ("BATON_CONTEXT", context),
            ("BATON_OUTPUT", file(OUTPUT_FILE)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
    }

    fn launch_plan(&self, folder: &Path) -> io::Result<LaunchPlan> {
        if let (Some(agent), Some(task)) = (&self.agent, &self.task) {
            let mut plan = agent.launch(task);
            if let Some(prompt) = &plan.prompt_file {
                let path = folder.join(PROMPT_FILE_NAME);
                session_file::write(&path, prompt)?;
                let path = path.display().to_string();
                plan.argv
                    .iter_mut()
                    .for_each(|word| *word = word.replace(PROMPT_FILE, &path));
            }
            return Ok(plan);
        }
        let (mut argv, env) = self.command.clone().unwrap_or_default();
        if self.work.is_some() {
            argv.push(folder.join(WORK_FILE).display().to_string());
        }
        Ok(LaunchPlan {
            argv,
            env: env.into_iter().collect(),
            env_remove: Vec::new(),
            stdin: baton_agents::Stdin::Null,
            first_inputs: Vec::new(),
            prompt_file: None,
        })
    }
}

/// What the templates of the node may name; nothing is gathered for a node without templates.
fn outputs_for(job: &Job, node: &Node) -> Outputs {
    if !templates_of(node).into_iter().any(template::is_template) {
        return Outputs::default();
    }
    outputs_of(&job.run, &job.background)
}

/// The texts of the node that may hold templates.
pub(crate) fn templates_of(node: &Node) -> Vec<&str> {
    match &node.kind {
        NodeKind::Agent(task) => [&task.prompt, &node.description, &node.instructions]
            .into_iter()
            .map(String::as_str)
            .chain(node.acceptance_criteria.iter().map(Criterion::words))
            .collect(),
        NodeKind::Command(task) => {
            let words = match &task.command {
                CommandLine::Shell(line) => std::slice::from_ref(line),
                CommandLine::Argv(words) => words.as_slice(),
            };
            words
                .iter()
                .chain(task.env.values())
                .map(String::as_str)
                .collect()
        }
        NodeKind::LlmDecision(task) => vec![&task.prompt, &node.description, &node.instructions],
        kind => tool_work::texts(kind),
    }
}

/// The named outputs of every node that left a handoff, and what `background` knows of failures.
pub(crate) fn outputs_of(run: &RunContext, background: &Background) -> Outputs {
    let mut nodes: BTreeMap<String, NodeTexts> = background
        .texts()
        .filter_map(|(node, texts)| Some((run.plan.node(node)?.slug.to_string(), texts)))
        .collect();
    for node in &run.plan.nodes {
        // A handoff of before the failure is out of date.
        if background.failure(node.id).is_none()
            && let Some(artifact) = run.artifact(node.id)
        {
            nodes.insert(node.slug.to_string(), NodeTexts::from(&*artifact));
        }
    }
    Outputs {
        nodes,
        round: run.caller.as_ref().and_then(|caller| caller.round.clone()),
    }
}

fn fill(text: &str, outputs: &Outputs) -> Result<String, Failure> {
    template::render(text, outputs).map_err(bad_input)
}

fn bad_input(error: TemplateError) -> Failure {
    Failure::BadInput {
        detail: error.to_string(),
    }
}

/// Where the sessions of a node work: in the plan's directory, or in the same place within the node's worktree, which need not be made yet.
fn directory(
    job: &Job,
    node: &Node,
    workshop: &Workshop,
    own: Option<&str>,
) -> Result<PathBuf, Failure> {
    let plan = &job.run.plan;
    if !checkout::is_isolated(job, node) {
        return shared_directory(plan, own);
    }
    let base = shared_directory(plan, None)?;
    let apart = checkout::directory_of(&workshop.data_directory, job.run.run, node, &base, own);
    apart.ok_or_else(|| {
        let detail = CheckoutError::NoRepository { directory: base }.to_string();
        Failure::NotStarted { detail }
    })
}

/// The plan's directory, or one relative to it.
fn shared_directory(plan: &Plan, own: Option<&str>) -> Result<PathBuf, Failure> {
    let base = plan.cwd.as_deref().map(PathBuf::from);
    let directory = match (base, own) {
        (Some(base), Some(own)) => base.join(own),
        (Some(base), None) => base,
        (None, Some(own)) if Path::new(own).is_absolute() => PathBuf::from(own),
        (None, _) => {
            let detail =
                "the plan has no working directory: choose one in the plan's settings".to_owned();
            return Err(Failure::NotStarted { detail });
        }
    };
    if directory.is_dir() {
        return Ok(directory);
    }
    let detail = format!(
        "the directory {} is not there: make it again, or choose another in the plan's settings",
        directory.display()
    );
    Err(Failure::NotStarted { detail })
}

/// What the system says, of which a full disk must still be told apart.
fn cause(error: LaunchError) -> io::Error {
    match error {
        LaunchError::Io(error) => error,
        LaunchError::Json(error) => error.into(),
    }
}

fn keeper_input(input: baton_agents::Input) -> baton_keeper::Input {
    match input.message {
        InputMessage::Text(text) => baton_keeper::Input::Text {
            key: input.key,
            text,
        },
        // Before a program has begun there is nothing to give it back.
        InputMessage::Quote(Quote { otherwise, .. }) => baton_keeper::Input::Text {
            key: input.key,
            text: otherwise,
        },
        InputMessage::Close => baton_keeper::Input::Close { key: input.key },
    }
}

/// Whether an exact name or a prefix that ends in `*` means `name`.
fn matches(pattern: &str, name: &str) -> bool {
    pattern
        .strip_suffix('*')
        .map_or(pattern == name, |prefix| name.starts_with(prefix))
}

/// Words as a person would type them to a shell.
fn shell_words(words: &[String]) -> String {
    let plain = |word: &str| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c))
    };
    let quoted = words.iter().map(|word| {
        if plain(word) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
