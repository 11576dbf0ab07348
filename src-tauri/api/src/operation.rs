//! The one list of operations.

use std::any::Any;

use baton_store::Store;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::wire::*;
use crate::{
    ApiError, App, Code, Right, admission, agents, artifacts, checkpoints, conversations, courses,
    doctor, documents, drawings, executors, grants, handoffs, held_calls, homecoming, imports,
    inbox, nodes, overlaps, overview, plans, preflight, proposals, runs, sessions, settings,
    statistics, teams, templates, tokens, tools, transcripts, worktrees,
};

/// What an adapter has to know of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// How every adapter calls it.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// What it needs.
    pub right: Right,
}

impl Operation {
    /// The operation of this name.
    pub(crate) fn named(name: &str) -> Result<&'static Self, ApiError> {
        let found = OPERATIONS.iter().find(|operation| operation.name == name);
        found
            .ok_or_else(|| ApiError::new(Code::NotFound, format!("there is no operation '{name}'")))
    }

    /// Whether it may change anything.
    #[must_use]
    pub fn kind(&self) -> Kind {
        if self.right == Right::Read {
            Kind::Query
        } else {
            Kind::Command
        }
    }
}

/// Whether an operation may change anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Only looks.
    Query,
    /// Changes something.
    Command,
}

macro_rules! operations {
    ($($right:ident $name:ident($input:ty) -> $output:ty = $function:path: $summary:literal;)+) => {
        /// Every operation, in the order of the documentation.
        pub const OPERATIONS: &[Operation] = &[
            $(Operation { name: stringify!($name), summary: $summary, right: Right::$right },)+
        ];

        /// Carries out the operation `name` with the JSON `input`, and leaves the answer as it is.
        ///
        /// What is not for `app`'s actor to do is held until a person allows it, or refused: see [`Right`].
        ///
        /// May block for as long as a disk or another executor takes: call it from a thread that may wait.
        pub fn answer(app: &App, name: &str, input: Value) -> Result<Box<dyn Answer>, ApiError> {
            let operation = Operation::named(name)?;
            admission::require(app, operation, &input)?;
            match operation.kind() {
                Kind::Query => Store::reading_only(|| carry_out(app, name, input)),
                Kind::Command => carry_out(app, name, input),
            }
        }

        fn carry_out(app: &App, name: &str, input: Value) -> Result<Box<dyn Answer>, ApiError> {
            match name {
                $(stringify!($name) => {
                    let output: $output = $function(app, parse::<$input>(name, input)?)?;
                    Ok(Box::new(output))
                })+
                _ => Err(ApiError::new(Code::NotFound, format!("there is no operation '{name}'"))),
            }
        }

        /// The TypeScript side of the list.
        #[cfg(feature = "bindings")]
        pub mod bindings {
            use super::*;
            use ts_rs::{Config, ExportError, TS, TypeVisitor};

            /// Writes the declarations of every input and output type below the folder of `config`.
            pub fn export(config: &Config) -> Result<(), ExportError> {
                $(declare::<$input>(config)?;
                declare::<$output>(config)?;)+
                declare::<ApiError>(config)?;
                declare::<Change>(config)
            }

            /// Writes `T` and all that it is made of. A list is nothing of its own: its items are written.
            fn declare<T: TS + ?Sized + 'static>(config: &Config) -> Result<(), ExportError> {
                match T::export_all(config) {
                    Err(ExportError::CannotBeExported(_)) => {
                        let mut items = Items { config, done: Ok(()) };
                        T::visit_generics(&mut items);
                        items.done
                    }
                    exported => exported,
                }
            }

            struct Items<'a> {
                config: &'a Config,
                done: Result<(), ExportError>,
            }

            impl TypeVisitor for Items<'_> {
                fn visit<T: TS + 'static + ?Sized>(&mut self) {
                    if self.done.is_ok() {
                        self.done = declare::<T>(self.config);
                    }
                }
            }

            /// The map from operation names to their types.
            pub fn index(config: &Config) -> Vec<(&'static str, &'static str, Right, String, String)> {
                vec![$((stringify!($name), $summary, Right::$right, <$input as TS>::name(config), <$output as TS>::name(config)),)+]
            }
        }
    };
}

operations! {
    Read plans_list(Nothing) -> Vec<PlanSummary> = plans::list: "lists all plans, the latest change first";
    Read plan_get(PlanRef) -> PlanView = plans::get: "shows a plan";
    Write plan_create(PlanCreate) -> PlanView = plans::create: "makes an empty plan";
    Write plan_save(PlanSave) -> PlanSaved = plans::save: "saves a changed plan as its next version";
    Read plan_check(PlanCheck) -> PlanProblems = plans::check: "tells what keeps a plan from being saved";
    Decide plan_approve(PlanApprove) -> PlanView = plans::approve: "approves a plan, so that it may run";
    Decide plan_agents_may_start(PlanAgentsMayStart) -> PlanView = plans::let_agents_start: "says whether sessions of agents may start the approved version";
    Decide plan_delete(PlanRef) -> Done = plans::delete: "deletes a plan with its runs, handoffs and sessions";
    Write plan_duplicate(PlanRef) -> PlanView = plans::duplicate: "makes a copy of a plan";
    Write plan_import(PlanImport) -> PlanImported = imports::import: "imports a plan file as a new plan";
    Write plan_bring(PlanImport) -> PlanImported = imports::bring: "imports a plan file, as the plan that came from there before if there is one";
    Read plan_look(PlanImport) -> PlanLook = imports::look: "shows what importing a plan file would do, and stores nothing";
    Read plan_export(PlanExport) -> FileText = plans::export: "writes a plan out as a file";
    Read plan_draw(PlanDraw) -> FileText = drawings::draw: "writes a plan out as a document, a graph or a picture";
    Read plan_read(PlanText) -> PlanRead = drawings::read: "reads a text as a plan without storing it";
    Read plan_preflight(PlanRef) -> Preflight = preflight::plan: "tells what stands between a plan and its run";
    Read plan_arrange(PlanArrange) -> Vec<Placement> = plans::arrange: "lays a plan out without saving it";
    Read plan_versions(PlanRef) -> Vec<PlanVersionRow> = plans::versions: "lists the versions of a plan";
    Read plan_version_get(PlanVersionRef) -> baton_model::Plan = plans::version: "shows an earlier version of a plan";
    Read plan_compare(PlanCompare) -> baton_model::PlanDiff = plans::compare: "compares two versions of a plan";
    Read templates_list(Nothing) -> Vec<TemplateRow> = templates::list: "lists the templates";
    Write plan_from_template(PlanFromTemplate) -> PlanView = templates::instantiate: "makes a plan from a template";
    Read directory_check(DirectoryCheck) -> DirectoryView = plans::directory: "tells what a directory is";

    Write plan_generate(PlanGenerate) -> ProposalView = proposals::generate: "asks an agent to make a plan for a goal";
    Write plan_from_session(PlanFromSession) -> ProposalView = proposals::from_session: "lets an agent make a plan from a session";
    Write plan_split(PlanSplit) -> ProposalView = proposals::split: "lets an agent divide a node into several";
    Write plan_explain(PlanExplain) -> ProposalView = proposals::explain: "lets an agent explain a plan or a node of it";
    Write run_replan(RunReplan) -> ProposalView = proposals::replan: "asks an agent to replan after a run that did not complete";
    Read proposals_list(ProposalsFilter) -> Vec<ProposalSummary> = proposals::list: "lists proposals, the latest first";
    Read proposal_get(ProposalRef) -> ProposalView = proposals::get: "shows a proposal with what it changes";
    Decide proposal_accept(ProposalAccept) -> ProposalAccepted = proposals::accept: "accepts a proposal, whole or in part";
    Decide proposal_reject(ProposalReject) -> ProposalView = proposals::reject: "rejects a proposal and says why";
    Write proposal_retry(ProposalRetry) -> ProposalView = proposals::retry: "lets the planner try again";
    Write proposal_cancel(ProposalRef) -> ProposalView = proposals::cancel: "cancels a planner, or discards a proposal";

    Write run_start(RunStart) -> RunView = runs::start: "begins a run of an approved plan";
    Write run_pause(RunPause) -> RunSummary = runs::pause: "pauses a run, so that no more nodes start";
    Write run_resume(RunRef) -> RunSummary = runs::resume: "resumes a run";
    Write run_cancel(RunRef) -> RunSummary = runs::cancel: "cancels a run and ends its processes";
    Write run_want(RunWant) -> RunSummary = runs::want: "changes which nodes a run is to do";
    Read runs_list(RunsFilter) -> Vec<RunSummary> = runs::list: "lists runs, the latest first";
    Read run_get(RunRef) -> RunView = runs::get: "shows a run with its nodes";
    Read run_progress(RunAfter) -> RunProgress = runs::progress: "shows what moved in a run since one of its events";
    Read run_history(RunHistory) -> Vec<HistoryRow> = runs::history: "shows what happened in a run";
    Read run_course(RunCourse) -> CourseView = courses::get: "shows how the states of a run followed each other";
    Read plan_pace(PlanPace) -> PaceView = courses::pace: "tells which chain of nodes takes longest, and how many can run at once";

    Write run_rerun_stale(RunRef) -> RunSummary = runs::rerun_stale: "does the stale nodes again, and nothing else";
    Write run_checkpoint(RunCheckpoint) -> RunSummary = checkpoints::make: "keeps the state of a run and its files";
    Read run_checkpoints(RunRef) -> Vec<CheckpointView> = checkpoints::list: "lists the checkpoints of a run";
    Decide run_rollback(RunRollback) -> RunSummary = checkpoints::roll_back: "rolls a run back to a checkpoint";

    Write node_retry(NodeRetry) -> RunSummary = nodes::retry: "tries a node again";
    Write node_rerun(NodeRef) -> RunSummary = nodes::rerun: "does a node and everything below it again";
    Write node_rerun_alone(NodeRef) -> RunSummary = nodes::rerun_alone: "does one node again";
    Decide node_continue(NodeContinue) -> RunSummary = conversations::continue_node: "sends a person's message to the session of a node";
    Write node_stop(NodeRef) -> RunSummary = nodes::stop: "stops the session of one running node";
    Decide node_skip(NodeSkip) -> RunSummary = nodes::skip: "skips a node";
    Decide node_mark_done(NodeMarkDone) -> RunSummary = nodes::mark_done: "marks a node as done without running it";
    Decide node_answer(NodeAnswer) -> RunSummary = nodes::answer: "answers a question of a node's session";
    Decide node_merge(NodeMerge) -> RunSummary = nodes::merge: "resolves the conflict between the work of a node's parents";
    Read grants_list(GrantsFilter) -> Vec<GrantView> = grants::list: "lists what a person allowed in a plan and its runs";
    Decide grant_revoke(GrantRevoke) -> Vec<GrantView> = grants::revoke: "revokes a permission";
    Read session_question(SessionQuestion) -> QuestionView = sessions::question: "shows the whole call that a session asks permission for";
    Decide node_approve(NodeApprove) -> RunSummary = nodes::approve: "approves or refuses the start of a node";
    Decide node_input(NodeInput) -> RunSummary = nodes::give_input: "answers a node that asks a person";
    Decide node_mark_failed(NodeRef) -> RunSummary = nodes::mark_failed: "marks an interrupted node as failed";
    Read node_attempts(NodeRef) -> Vec<AttemptView> = nodes::attempts: "lists the attempts of a node";
    Read node_context(NodeRef) -> ContextView = nodes::context: "shows what a node receives from its parents";

    Read inbox_list(Nothing) -> Vec<InboxItem> = inbox::list: "lists what waits for the person";
    Read requests_list(Nothing) -> Vec<RequestView> = held_calls::list: "lists the calls of agents that wait for a person";
    Read request_get(RequestRef) -> RequestView = held_calls::get: "shows a call that waits for a person, or what became of it";
    Decide request_allow(RequestRef) -> RequestView = held_calls::allow: "allows a call that waits for a person, and carries it out";
    Decide request_refuse(RequestRef) -> RequestView = held_calls::refuse: "refuses a call that waits for a person";
    Read runs_ended(RunsEnded) -> Vec<RunEnd> = inbox::ended: "lists the runs that have ended, the latest first";
    Read overview_get(Nothing) -> Overview = overview::get: "tells what runs and how much waits for the person";

    Read evidence_get(AttemptRef) -> EvidenceView = handoffs::evidence: "shows what is known of an attempt, beside its handoff";
    Decide evidence_accept(NodeRef) -> RunSummary = handoffs::accept: "accepts a node's work although it is not verified";
    Decide git_restore(AttemptRef) -> GitRestored = handoffs::restore_git: "puts back what git runs as it was before an attempt";
    Read edge_context(EdgeRef) -> EdgeView = handoffs::edge: "shows what a child receives over one edge";
    Decide handoff_pin(HandoffPin) -> RunSummary = handoffs::pin: "sets what a child receives over one edge";
    Decide handoff_unpin(EdgeRef) -> RunSummary = handoffs::unpin: "lets a child receive its parent's handoff again";

    Read artifact_get(ArtifactRef) -> ArtifactView = artifacts::get: "shows a handoff";
    Decide artifact_edit(ArtifactEdit) -> RunSummary = nodes::edit_artifact: "changes what a node handed on";
    Read artifacts_list(RunRef) -> Vec<ArtifactView> = artifacts::list: "lists the handoffs of a run";

    Read sessions_list(SessionsFilter) -> Vec<SessionView> = sessions::list: "lists sessions, the latest first";
    Write session_plan(SessionPlan) -> PlanView = conversations::plan: "makes a plan of one node that goes on with a session, or with a copy of it";
    Read session_reach(SessionReachRef) -> SessionReach = conversations::reach: "tells whether a session, or a copy of it, can go on";
    Read session_get(SessionRef) -> SessionView = sessions::get: "shows a session";
    Read session_timeline(TimelineRange) -> TimelinePage = sessions::timeline: "shows a part of a session's timeline";
    Read session_entry(TimelineEntryRef) -> baton_agents::TimelineEntry = sessions::entry: "shows one entry of a timeline whole";
    Read session_search(TimelineSearch) -> TimelineHits = sessions::search: "finds a text in a session's timeline";

    Read transcripts_list(TranscriptsFilter) -> TranscriptsPage = transcripts::list: "lists the agents' own transcripts";
    Read transcript_get(TranscriptRef) -> TranscriptRow = transcripts::get: "shows a transcript in one line";
    Read transcripts_projects(Nothing) -> Vec<TranscriptProject> = transcripts::projects: "lists the directories that agents worked in";
    Read transcripts_search(TranscriptsSearch) -> TranscriptHits = transcripts::search: "finds words in what was said in transcripts";
    Read transcript_timeline(TranscriptRange) -> TimelinePage = transcripts::timeline: "shows a part of a transcript's timeline";
    Read transcript_entry(TranscriptEntryRef) -> baton_agents::TimelineEntry = transcripts::entry: "shows one entry of a transcript's timeline whole";
    Read transcript_find(TranscriptFind) -> TimelineHits = transcripts::find: "finds a text in a transcript's timeline";
    Write transcripts_rebuild(Nothing) -> TranscriptsIndexing = transcripts::rebuild: "rebuilds the index of transcripts";

    Read statistics_get(StatisticsGet) -> Statistics = statistics::get: "tells what runs come to in numbers";

    Read tools_list(Nothing) -> Vec<baton_tools::ToolInfo> = tools::list: "lists the tools that nodes may call";
    Read tools_of_servers(Nothing) -> Vec<baton_tools::ServerTool> = tools::of_servers: "asks the MCP servers what they offer";
    Read tool_servers_list(Nothing) -> Vec<baton_tools::McpServer> = tools::servers: "lists the MCP servers";
    Decide tool_server_save(baton_tools::McpServer) -> Vec<baton_tools::McpServer> = tools::save_server: "saves an MCP server";
    Decide tool_server_delete(ServerRef) -> Vec<baton_tools::McpServer> = tools::delete_server: "deletes an MCP server";

    Read agents_list(Nothing) -> Vec<AgentView> = agents::list: "lists the agents on this machine";
    Decide agent_save(CustomAgent) -> Vec<AgentView> = agents::save: "saves a custom agent";
    Decide agent_delete(AgentRef) -> Vec<AgentView> = agents::delete: "deletes a custom agent";
    Read teams_list(Nothing) -> Vec<baton_model::arbiter::Team> = teams::list: "lists the teams of agents";
    Decide team_save(baton_model::arbiter::Team) -> Vec<baton_model::arbiter::Team> = teams::save: "saves a team of agents";
    Decide team_delete(TeamRef) -> Vec<baton_model::arbiter::Team> = teams::delete: "deletes a team of agents";
    Read doctor(Nothing) -> DoctorView = doctor::look: "looks at what Baton needs on this machine, with what to do about what is missing";
    Read worktrees_list(Nothing) -> Vec<WorktreeView> = worktrees::list: "lists the worktrees that nodes left, and whether their work is anywhere else";
    Decide worktree_remove(WorktreeRemove) -> WorktreesRemoved = worktrees::remove: "removes a worktree; what is in it is committed first";
    Decide worktrees_remove_merged(Nothing) -> WorktreesRemoved = worktrees::remove_merged: "removes every worktree whose work is home";
    Read run_home(HomeLook) -> HomeView = homecoming::look: "tells which work stands apart from the plan's directory, and what bringing it home would come to";
    Decide run_bring_home(HomeBring) -> HomeBrought = homecoming::bring: "brings the work of isolated nodes into the plan's directory, or onto a branch";
    Decide run_home_undo(HomeUndo) -> HomeBrought = homecoming::undo: "takes back what was brought into the plan's directory";
    Decide run_home_agent(HomeAgent) -> RunView = homecoming::settle_by_agent: "lets an agent resolve the conflict of work on its way home";
    Read node_fan_in(NodeRef) -> FanInView = homecoming::fan_in: "shows the merge with which a node would begin";
    Read run_overlaps(RunRef) -> Vec<OverlapView> = overlaps::list: "lists nodes beside each other that changed the same files";
    Read executors_list(Nothing) -> ExecutorsView = executors::list: "lists the processes that execute runs, and how runs changed hands";
    Read settings_get(Nothing) -> Settings = settings::get: "shows the settings";
    Decide settings_save(Settings) -> Settings = settings::save: "saves the settings";
    Read tokens_list(Nothing) -> Vec<TokenView> = tokens::list: "lists the tokens by which programs reach Baton";
    Decide token_create(TokenCreate) -> TokenCreated = tokens::create: "makes a token for a program, and shows it once";
    Decide token_revoke(TokenRef) -> Vec<TokenView> = tokens::revoke: "revokes a token";
    Read app_state_get(Nothing) -> AppState = documents::app_state: "shows how the window looked last";
    Write app_state_save(AppState) -> AppState = documents::save_app_state: "keeps how the window looks";
    Read enrichments_get(Nothing) -> Enrichments = documents::enrichments: "shows stars, tags and notes of plans, nodes and sessions";
    Write enrichment_save(EnrichmentSave) -> Enrichments = documents::save_enrichment: "keeps a star, tags and notes of one of them";
    Read about(Nothing) -> About = settings::about: "tells the version and where data is kept";
}

fn parse<T: DeserializeOwned>(name: &str, input: Value) -> Result<T, ApiError> {
    // An operation that needs nothing may be called with nothing.
    let input = if input.is_null() {
        Value::Object(serde_json::Map::new())
    } else {
        input
    };
    serde_json::from_value(input).map_err(|error| {
        ApiError::new(
            Code::BadInput,
            format!("the input of {name} is not right: {error}"),
        )
    })
}

/// What an operation answers: for this process as it is, for others as JSON.
pub trait Answer: Any {
    /// The answer as JSON.
    fn to_json(&self) -> Result<Value, serde_json::Error>;
    /// The answer itself, to ask for its type.
    fn as_any(&self) -> &dyn Any;
    /// The answer itself.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<T: Any + Serialize> Answer for T {
    fn to_json(&self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// Like [`answer`], for whoever speaks JSON.
pub fn call(app: &App, name: &str, input: Value) -> Result<Value, ApiError> {
    print(name, answer(app, name, input)?.as_ref())
}

/// Like [`answer`], for whoever knows the type of the answer. The answer about a large plan is not written as JSON and
/// read again for that.
pub fn ask<O: Any + DeserializeOwned>(app: &App, name: &str, input: Value) -> Result<O, ApiError> {
    let answer = answer(app, name, input)?;
    if !answer.as_ref().as_any().is::<O>() {
        return read(name, print(name, answer.as_ref())?);
    }
    let other = |_| {
        ApiError::new(
            Code::Internal,
            format!("{name} answers something else than it says"),
        )
    };
    answer
        .into_any()
        .downcast()
        .map(|answer| *answer)
        .map_err(other)
}

fn read<O: DeserializeOwned>(name: &str, answer: Value) -> Result<O, ApiError> {
    let other = |error| {
        ApiError::new(
            Code::Internal,
            format!("{name} speaks another language: {error}"),
        )
    };
    serde_json::from_value(answer).map_err(other)
}

fn print(name: &str, output: &dyn Answer) -> Result<Value, ApiError> {
    output.to_json().map_err(|error| {
        ApiError::new(
            Code::Internal,
            format!("the answer of {name} cannot be written: {error}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Role;

    #[test]
    fn who_knows_the_type_is_answered_the_same_as_who_speaks_json() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let keeper = std::env::current_exe().expect("this test");
        let app = App::open_with_keeper(folder.path().to_path_buf(), Role::Cli, keeper)
            .expect("an empty folder");
        let plans: Vec<PlanSummary> = ask(&app, "plans_list", Value::Null).expect("the examples");
        assert!(!plans.is_empty());
        let json = call(&app, "plans_list", Value::Null).expect("the examples");
        assert_eq!(serde_json::to_value(&plans).expect("JSON"), json);
        let read: Value =
            ask(&app, "plans_list", Value::Null).expect("any other type is read from JSON");
        assert_eq!(read, json);
        let error =
            ask::<Vec<String>>(&app, "plans_list", Value::Null).expect_err("no plan is a text");
        assert_eq!(error.code, Code::Internal);
        assert_eq!(
            ask::<Value>(&app, "no_such", Value::Null)
                .expect_err("no operation")
                .code,
            Code::NotFound
        );
    }
}
