//! The list of all operations.

use std::any::Any;

use baton_store::Store;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::operation::{Operation, OperationKind};
use crate::proposals::submissions;
use crate::wire::*;
use crate::{
    AccessLevel, ApiError, App, Code, admission, agent_connections, agents, approval_changes,
    artifacts, bundle, checkpoints, conversations, doctor, documents, error_handlers, executors,
    files, grants, handoffs, held_call_decisions, imports, inbox, merge_back, node_diff, nodes,
    output, overlaps, overview, pinned_outputs, plan_counts, plan_deletion, plan_edits,
    plan_events, plan_formats, plan_history, plan_review, plan_versions, plans, plans_page,
    preflight, project_files, proposals, pull_requests, questions, rerun_preview, run_deletion,
    run_export, run_requests, run_timing, run_wait, runs, runs_page, sessions, settings,
    simulations, statistics, status_back, summaries, teams, templates, terminals, tokens, tools,
    transcripts, worktrees,
};

macro_rules! operations {
    ($($right:ident $name:ident($input:ty) -> $output:ty = $function:path: $summary:literal;)+) => {
        /// All operations, in documentation order.
        pub const OPERATIONS: &[Operation] = &[
            $(Operation { name: stringify!($name), summary: $summary, right: AccessLevel::$right },)+
        ];

        /// Runs the operation `name` with the JSON `input` and returns its typed result.
        ///
        /// A call that `app`'s actor may not make is held until a person allows it, or refused: see
        /// [`AccessLevel`].
        ///
        /// May block while waiting for a disk or another executor, so call it from a thread that
        /// may wait.
        pub fn dispatch(app: &App, name: &str, input: Value) -> Result<Box<dyn OperationOutput>, ApiError> {
            let operation = find(name)?;
            admission::require(app, operation, &input)?;
            match operation.kind() {
                OperationKind::Query => Store::with_writes_denied(|| execute(app, name, input)),
                OperationKind::Command => execute(app, name, input),
            }
        }

        fn execute(app: &App, name: &str, input: Value) -> Result<Box<dyn OperationOutput>, ApiError> {
            match name {
                $(stringify!($name) => {
                    let output: $output = $function(app, parse_input::<$input>(name, input)?)?;
                    Ok(Box::new(output))
                })+
                _ => Err(ApiError::new(Code::NotFound, format!("there is no operation '{name}'"))),
            }
        }

        /// Exports the operations to TypeScript.
        #[cfg(feature = "bindings")]
        pub mod bindings {
            use super::*;
            use ts_rs::{Config, ExportError, TS, TypeVisitor};

            /// Writes declarations of all input and output types to the folder of `config`.
            pub fn export(config: &Config) -> Result<(), ExportError> {
                $(declare::<$input>(config)?;
                declare::<$output>(config)?;)+
                declare::<ApiError>(config)?;
                declare::<Change>(config)
            }

            /// Writes `T` and the types it depends on. A list has no separate declaration, so its
            /// items are written.
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

            /// Maps operation names to their types.
            pub fn index(config: &Config) -> Vec<(&'static str, &'static str, AccessLevel, String, String)> {
                vec![$((stringify!($name), $summary, AccessLevel::$right, <$input as TS>::name(config), <$output as TS>::name(config)),)+]
            }
        }
    };
}

operations! {
    Read plans_list(Nothing) -> Vec<PlanSummary> = plans::list: "lists all plans, latest change first";
    Read plans_page(PlansPageQuery) -> PlansPage = plans_page::page: "lists one page of plans by filter, search and sort order";
    Read plans_stats(PlansStatsQuery) -> PlansStats = plan_counts::get: "counts plans by their status";
    Read plan_get(PlanRef) -> PlanView = plans::get: "shows a plan";
    Write plan_create(PlanCreate) -> PlanView = plans::create: "creates an empty plan";
    Write plan_save(PlanSave) -> PlanSaved = plans::save: "saves a plan as a new version";
    Write plan_patch(PlanPatch) -> PlanSaved = plan_edits::patch: "changes settings of a plan";
    Write node_add(NodeAdd) -> NodeSaved = plan_edits::add_node: "adds a node to a plan";
    Write node_save(NodeSave) -> NodeSaved = plan_edits::save_node: "changes a node of a plan";
    Write node_remove(NodeRemove) -> PlanSaved = plan_edits::remove_node: "removes a node from a plan, with or without connecting its neighbors";
    Write nodes_reorder(NodesReorder) -> PlanSaved = plan_edits::reorder: "changes the order of a plan's nodes in lists";
    Write edges_confirm(EdgesConfirm) -> EdgesConfirmed = plan_edits::confirm_edges: "confirms edges that an import inferred from the order of tasks";
    Read plan_check(PlanCheck) -> Vec<PlanProblem> = plans::check: "lists problems that prevent a plan from running or from being saved";
    Write plan_submit(PlanSubmit) -> PlanView = plan_review::submit: "submits a draft so that a person approves or rejects it";
    Write plan_withdraw(PlanRef) -> PlanView = plan_review::withdraw: "withdraws a plan that waits for a person's review";
    Decide plan_reject(PlanReject) -> PlanView = plan_review::reject: "rejects a plan that waits for review, with the reason";
    Decide plan_approve(PlanApprove) -> PlanView = plans::approve: "approves a plan so that it can run";
    Decide plan_agents_may_start(PlanAgentsMayStart) -> PlanView = plans::set_agents_may_start: "sets whether agent sessions may start the approved version";
    Decide plan_delete(PlanDelete) -> Done = plan_deletion::delete: "deletes a plan with its runs, handoffs and sessions; it can be restored for 30 days";
    Decide plan_restore(PlanRef) -> PlanView = plan_deletion::restore: "restores a deleted plan with its runs, handoffs and approvals";
    Read plans_deleted(Nothing) -> Vec<baton_store::DeletedPlan> = plan_deletion::list: "lists deleted plans that can be restored";
    Decide plan_purge(PlanRef) -> Done = plan_deletion::purge: "permanently deletes a deleted plan";
    Write plan_save_copy(PlanCopy) -> PlanView = plans::save_copy: "saves content as a new plan";
    Read plan_files_list(Nothing) -> Vec<PlanFilesProject> = project_files::list: "lists the projects whose plans are kept as files, with the state of each file";
    Decide plan_files_save(PlanFilesSave) -> Vec<PlanFilesProject> = project_files::save: "switches plan files of a project on or off";
    Write plan_archive(PlanRef) -> PlanView = plans::archive: "archives a plan";
    Write plan_unarchive(PlanRef) -> PlanView = plans::unarchive: "restores an archived plan";
    Decide plan_retention_save(PlanRetentionSave) -> PlanView = plans::save_retention: "sets which runs of a plan are kept, and when it is archived";
    Write plan_duplicate(PlanRef) -> PlanView = plans::duplicate: "copies a plan";
    Write plan_import(PlanImport) -> PlanImported = imports::import: "imports a plan file as a new plan";
    Write plan_bring(PlanImport) -> PlanImported = imports::import_or_update: "imports a plan file, updating the plan previously imported from it";
    Read plan_look(PlanImport) -> PlanImportPreview = imports::preview: "previews importing a plan file without storing anything";
    Read plan_export(PlanExport) -> FileText = plans::export: "exports a plan as a file";
    Read plan_draw(PlanDraw) -> FileText = plan_formats::render: "exports a plan as a document, graph or image";
    Read plan_picture(PlanPicture) -> FileBytes = plan_formats::picture: "exports a plan as a PNG picture";
    Decide plan_status_back(PlanStatusBack) -> PlanStatusWritten = status_back::write: "marks the tasks of finished nodes as done in the files that a plan was imported from";
    Read plan_read(PlanText) -> ParsedPlan = plan_formats::read: "parses a text as a plan without storing it";
    Read plan_thumbnail(PlanRef) -> baton_formats::graph_thumbnail::GraphThumbnail = plan_formats::thumbnail: "shows a plan's graph as a small picture";
    Read plan_history(PlanHistoryQuery) -> PlanHistoryPage = plan_history::page: "shows what happened to a plan and in all of its runs, latest first";
    Read plan_events(PlanEventsQuery) -> PlanEventsPage = plan_events::page: "shows what happened to plans and in their runs after an event";
    Read plan_preflight(PlanRef) -> Preflight = preflight::plan: "checks whether a plan can run on this machine";
    Read plan_simulate(PlanRef) -> baton_model::simulation::Simulation = simulations::of_plan: "shows what a run of a plan would do, without running anything";
    Read approval_changes(PlanRef) -> ApprovalChangesView = approval_changes::get: "shows what has changed in the project since a plan was approved";
    Read plan_arrange(PlanArrange) -> Vec<NodePlacement> = plans::arrange: "computes a plan's layout without saving it";
    Read plan_versions(PlanRef) -> Vec<PlanVersionRow> = plan_versions::list: "lists the versions of a plan";
    Read plan_version_get(PlanVersionRef) -> baton_model::Plan = plan_versions::get: "shows an earlier version of a plan";
    Read plan_compare(PlanCompare) -> baton_model::PlanDiff = plan_versions::compare: "compares two versions of a plan";
    Write plan_version_name(PlanVersionName) -> Vec<PlanVersionRow> = plan_versions::name: "names a version of a plan";
    Write plan_restore_version(PlanVersionRestore) -> PlanSaved = plan_versions::restore: "restores a version of a plan as its newest version";
    Decide bundle_export(BundleExport) -> BundleExported = bundle::export: "writes everything in the data directory to one archive";
    Decide bundle_import(BundleImport) -> BundleImported = bundle::import: "takes an archive of another Baton into an empty data directory";
    Read templates_list(Nothing) -> Vec<TemplateRow> = templates::list: "lists the templates";
    Write plan_from_template(PlanFromTemplate) -> PlanView = templates::instantiate: "creates a plan from a template";
    Read directory_check(DirectoryCheck) -> DirectoryView = plans::directory: "checks whether a directory exists and is in a git repository";

    Write plan_generate(PlanGenerate) -> ProposalView = proposals::generate: "asks an agent to generate a plan for a goal";
    Write plan_fill(PlanFill) -> ProposalView = proposals::fill: "asks an agent to generate the nodes of a plan";
    Write plan_from_session(PlanFromSession) -> ProposalView = proposals::from_session: "asks an agent to turn a session into a plan";
    Write plan_split(PlanSplit) -> ProposalView = proposals::split: "asks an agent to split a node";
    Write plan_explain(PlanExplain) -> ProposalView = proposals::explain: "asks an agent to explain a plan or one of its nodes";
    Write run_replan(RunReplan) -> ProposalView = proposals::replan: "asks an agent to replan after a run that didn't complete";
    Write proposal_submit(ProposalSubmit) -> ProposalView = submissions::submit: "submits a plan, or a change to one, as a proposal";
    Write proposal_revise(ProposalRevise) -> ProposalView = submissions::revise: "sends another draft of a submitted proposal and answers comments";
    Write proposal_comment(ProposalComment) -> ProposalView = submissions::comment: "comments on a proposal, or on a node, edge or field of it";
    Read proposals_list(ProposalsFilter) -> Vec<ProposalSummary> = proposals::list: "lists proposals, newest first";
    Read proposal_get(ProposalRef) -> ProposalView = proposals::get: "shows a proposal and its changes";
    Read proposal_simulate(ProposalRef) -> baton_model::simulation::Simulation = simulations::of_proposal: "shows what a run of a proposal's draft would do, without running anything";
    Decide proposal_accept(ProposalAccept) -> ProposalAccepted = proposals::accept: "accepts a proposal, in full or in part";
    Decide proposal_reject(ProposalReject) -> ProposalView = proposals::reject: "rejects a proposal, with feedback";
    Write proposal_retry(ProposalRetry) -> ProposalView = proposals::retry: "asks the planner to try again";
    Write proposal_cancel(ProposalRef) -> ProposalView = proposals::cancel: "cancels a planner, or discards a proposal";

    Write run_start(RunStart) -> RunView = runs::start: "starts a run of an approved plan";
    Decide run_start_pinned(RunStartPinned) -> RunView = pinned_outputs::start: "starts a run of an approved plan in which nodes use their pinned outputs";
    Write run_request(RunRequest) -> RunRequested = run_requests::request: "asks a person to start a run of an approved plan, or starts it if agents may";
    Write run_pause(RunPause) -> RunSummary = runs::pause: "pauses a run so that no more nodes start";
    Write run_resume(RunRef) -> RunSummary = runs::resume: "resumes a run";
    Write run_cancel(RunRef) -> RunSummary = runs::cancel: "cancels a run and ends its processes";
    Write run_want(RunSetGoal) -> RunSummary = runs::set_goal: "changes which nodes a run executes";
    Read runs_list(RunsFilter) -> Vec<RunSummary> = runs::list: "lists runs, newest first";
    Read runs_page(RunsPageQuery) -> RunsPage = runs_page::page: "lists one page of runs by filter, search and sort order";
    Decide runs_delete(RunsDelete) -> RunsDeleted = run_deletion::delete: "deletes ended runs with their handoffs and sessions";
    Read run_get(RunRef) -> RunView = runs::get: "shows a run with its nodes";
    Read run_wait(RunWait) -> RunWaited = run_wait::wait: "waits until a run has ended or continues only after a person did something";
    Read run_progress(RunProgressSince) -> RunProgress = runs::progress: "shows what changed in a run since an event";
    Read run_history(RunHistory) -> Vec<HistoryRow> = runs::history: "shows the events of a run";
    Read run_export(RunExport) -> FileText = run_export::export: "exports a run as one HTML file";
    Read run_course(RunStateHistory) -> StateHistoryView = run_timing::state_history: "shows the state changes of a run";
    Read plan_pace(PlanTiming) -> PlanTimingView = run_timing::plan_timing: "shows a plan's critical path and maximum parallelism";

    Write run_rerun_stale(RunRef) -> RunSummary = runs::rerun_stale: "reruns the stale nodes";
    Write run_rerun_failed(RunRef) -> RunSummary = runs::rerun_failed: "reruns the nodes that failed or were interrupted";
    Decide run_start_handler(RunRef) -> RunSummary = error_handlers::start: "starts the error handler of a failed run after it was refused";
    Read run_rerun_preview(RerunPreview) -> RerunPreviewView = rerun_preview::preview: "shows what a rerun would run and what it cost last time";
    Write run_checkpoint(RunCheckpoint) -> RunSummary = checkpoints::create: "creates a checkpoint of a run and its files";
    Read run_checkpoints(RunRef) -> Vec<CheckpointView> = checkpoints::list: "lists the checkpoints of a run";
    Decide run_rollback(RunRollback) -> RunSummary = checkpoints::roll_back: "rolls a run back to a checkpoint";

    Write node_retry(NodeRetry) -> RunSummary = nodes::retry: "retries a node";
    Write node_rerun(NodeRef) -> RunSummary = nodes::rerun: "reruns a node and everything below it";
    Write node_rerun_alone(NodeRef) -> RunSummary = nodes::rerun_alone: "reruns a single node";
    Decide node_continue(NodeContinue) -> RunSummary = conversations::continue_node: "sends a person's message to the session of a node";
    Decide node_review(NodeReview) -> RunSummary = node_diff::review: "sends a person's comments on the changes of a node to its session as one message";
    Write node_stop(NodeRef) -> RunSummary = nodes::stop: "stops the session of one running node";
    Decide node_skip(NodeSkip) -> RunSummary = nodes::skip: "skips a node";
    Decide node_mark_done(NodeMarkDone) -> RunSummary = nodes::mark_done: "marks a node as done without running it";
    Decide node_answer(NodeAnswer) -> RunSummary = nodes::answer: "answers a question of a node's session";
    Decide node_merge(NodeMerge) -> RunSummary = nodes::merge: "resolves the conflict between the work of a node's parents";
    Read grants_list(GrantsFilter) -> Vec<GrantView> = grants::list: "lists permissions granted in a plan and its runs";
    Decide grant_revoke(GrantRevoke) -> Vec<GrantView> = grants::revoke: "revokes a permission";
    Read session_question(SessionQuestion) -> QuestionView = sessions::question: "shows the complete call that a session asks permission for";
    Decide node_approve(NodeApprove) -> RunSummary = nodes::approve: "approves or rejects the start of a node";
    Decide node_input(NodeInput) -> RunSummary = nodes::give_input: "answers a user input node";
    Decide node_mark_failed(NodeRef) -> RunSummary = nodes::mark_failed: "marks an interrupted node as failed";
    Read node_attempts(NodeRef) -> Vec<AttemptView> = nodes::attempts: "lists the attempts of a node";
    Read run_summaries(RunRef) -> RunSummariesView = summaries::of_run: "lists the summaries that the nodes of a run wrote";
    Read node_summary(AttemptRef) -> SummaryView = summaries::get: "shows the summary that an attempt of a node wrote";
    Read node_diff(NodeDiffQuery) -> NodeDiffView = node_diff::get: "shows what a node changed, line by line";
    Read node_context(NodeRef) -> ContextView = nodes::context: "shows what a node receives from its parents";

    Read inbox_list(Nothing) -> Vec<InboxItem> = inbox::list: "lists inbox items";
    Read requests_list(Nothing) -> Vec<RequestView> = held_call_decisions::list: "lists agent calls waiting for permission";
    Read request_get(RequestRef) -> RequestView = held_call_decisions::get: "shows an agent call that needs permission, and its outcome";
    Decide request_allow(RequestRef) -> RequestView = held_call_decisions::allow: "allows an agent call and carries it out";
    Write question_ask(QuestionAsk) -> QuestionAsked = questions::ask: "asks a person a question";
    Decide question_answer(QuestionAnswer) -> RequestView = held_call_decisions::answer: "answers a question of a session";
    Decide request_refuse(RequestRef) -> RequestView = held_call_decisions::refuse: "denies an agent call";
    Read runs_ended(EndedRunsFilter) -> Vec<EndedRunView> = inbox::ended: "lists ended runs, newest first";
    Read overview_get(Nothing) -> Overview = overview::get: "shows active runs and the number of inbox items";

    Read evidence_get(AttemptRef) -> EvidenceView = handoffs::evidence: "shows the evidence of an attempt";
    Decide evidence_accept(NodeRef) -> RunSummary = handoffs::accept: "accepts a node's unverified work";
    Decide git_restore(AttemptRef) -> GitRestored = handoffs::restore_git: "restores git hooks and settings to their state before an attempt";
    Read edge_context(EdgeRef) -> EdgeView = handoffs::edge: "shows what a child receives over one edge";
    Decide handoff_pin(HandoffPin) -> RunSummary = handoffs::pin: "pins what a child receives over one edge";
    Decide handoff_unpin(EdgeRef) -> RunSummary = handoffs::unpin: "unpins an edge so that the child receives its parent's handoff again";
    Read pinned_outputs(PlanRef) -> PinnedOutputsView = pinned_outputs::list: "lists the pinned outputs of a plan, and what a run with them would do";
    Decide node_output_pin(NodeOutputPin) -> PinnedOutputsView = pinned_outputs::pin: "pins an output of a node for runs with pinned outputs";
    Decide node_output_unpin(PlanNodeRef) -> PinnedOutputsView = pinned_outputs::unpin: "unpins the output of a node";

    Read artifact_get(ArtifactRef) -> ArtifactView = artifacts::get: "shows a handoff";
    Decide artifact_edit(ArtifactEdit) -> RunSummary = nodes::edit_artifact: "edits a node's handoff";
    Read handoffs_compare(HandoffsCompare) -> HandoffsCompared = artifacts::compare: "lists the nodes whose handoffs differ between two runs";
    Read artifacts_list(RunRef) -> Vec<ArtifactView> = artifacts::list: "lists the handoffs of a run";

    Read sessions_list(SessionsFilter) -> Vec<SessionView> = sessions::list: "lists sessions, newest first";
    Write session_plan(SessionPlan) -> PlanView = conversations::create_plan: "creates a plan with one node that continues a session or a copy of it";
    Read session_reach(SessionResumabilityRef) -> SessionResumability = conversations::resumability: "checks whether a session or a copy of it can be continued";
    Read session_get(SessionRef) -> SessionView = sessions::get: "shows a session";
    Read session_timeline(TimelineRange) -> TimelinePage = sessions::timeline: "shows part of a session's timeline";
    Read session_entry(TimelineEntryRef) -> baton_agents::TimelineEntry = sessions::entry: "shows one complete timeline entry";
    Read session_search(TimelineSearch) -> TimelineHits = sessions::search: "searches a session's timeline";
    Read session_file(SessionFileRef) -> SessionFile = files::get: "shows part of a file that a session's output mentions";
    Decide session_file_open(SessionFileOpen) -> SessionFileOpened = files::open: "opens a file or the directory of a session on this machine";

    Read output_window(OutputWindow) -> OutputWindowView = output::window: "shows the rows of a session's output around a place";
    Read output_search(OutputSearch) -> OutputHits = output::search: "searches part of a session's output";
    Read output_line_count(SessionRef) -> OutputLineCount = output::line_count: "counts more lines of a session's output";
    Read output_text(OutputTextRange) -> OutputText = output::text: "shows the text of a part of a session's output";

    Read transcripts_list(TranscriptsFilter) -> TranscriptsPage = transcripts::list: "lists the agents' own transcripts";
    Read transcript_get(TranscriptRef) -> TranscriptRow = transcripts::get: "shows a transcript's summary";
    Read transcripts_projects(Nothing) -> Vec<TranscriptProject> = transcripts::projects: "lists the directories that agents worked in";
    Read transcripts_search(TranscriptsSearch) -> TranscriptHits = transcripts::search: "searches messages in transcripts";
    Read transcript_timeline(TranscriptRange) -> TimelinePage = transcripts::timeline: "shows part of a transcript's timeline";
    Read transcript_entry(TranscriptEntryRef) -> baton_agents::TimelineEntry = transcripts::entry: "shows one complete entry of a transcript's timeline";
    Read transcript_find(TranscriptFind) -> TimelineHits = transcripts::find: "searches a transcript's timeline";
    Write transcripts_rebuild(Nothing) -> TranscriptsIndexing = transcripts::rebuild: "rebuilds the index of transcripts";

    Read statistics_get(StatisticsGet) -> Statistics = statistics::get: "shows run statistics";

    Read tools_list(Nothing) -> Vec<baton_tools::ToolInfo> = tools::list: "lists the tools that nodes may call";
    Read tools_of_servers(Nothing) -> Vec<baton_tools::ServerTool> = tools::list_server_tools: "lists the tools of the MCP servers";
    Read tool_servers_list(Nothing) -> Vec<baton_tools::McpServer> = tools::servers: "lists the MCP servers";
    Decide tool_server_save(baton_tools::McpServer) -> Vec<baton_tools::McpServer> = tools::save_server: "saves an MCP server";
    Decide tool_server_delete(ServerRef) -> Vec<baton_tools::McpServer> = tools::delete_server: "deletes an MCP server";

    Read agents_list(Nothing) -> Vec<AgentView> = agents::list: "lists the agents on this machine";
    Decide agent_save(CustomAgent) -> Vec<AgentView> = agents::save: "saves a custom agent";
    Decide agent_delete(AgentRef) -> Vec<AgentView> = agents::delete: "deletes a custom agent";
    Read teams_list(Nothing) -> Vec<baton_model::arbiter::Team> = teams::list: "lists the teams of agents";
    Decide team_save(baton_model::arbiter::Team) -> Vec<baton_model::arbiter::Team> = teams::save: "saves a team of agents";
    Decide team_delete(TeamRef) -> Vec<baton_model::arbiter::Team> = teams::delete: "deletes a team of agents";
    Read agent_connections_list(Nothing) -> Vec<AgentConnection> = agent_connections::list: "lists the agents that can have Baton's tools";
    Decide agent_connections_preview(AgentConnectionPreviewQuery) -> AgentConnectionPreview = agent_connections::preview: "shows how connecting or disconnecting agents would change their settings";
    Decide agent_connections_save(AgentConnectionSave) -> AgentConnectionPreview = agent_connections::save: "adds Baton's tools to agents, or removes them";
    Read guarded_calls_list(GuardedCallsQuery) -> Vec<GuardedCall> = agent_connections::guarded_calls: "lists calls of guarded tools that no plan covers";
    Read doctor(Nothing) -> DoctorView = doctor::run: "checks everything that Baton needs on this machine and suggests fixes";
    Read worktrees_list(Nothing) -> Vec<WorktreeView> = worktrees::list: "lists worktrees and whether their work is saved elsewhere";
    Decide worktree_remove(WorktreeRemove) -> WorktreesRemoved = worktrees::remove: "removes a worktree after committing its content";
    Decide worktrees_remove_merged(Nothing) -> WorktreesRemoved = worktrees::remove_merged: "removes all worktrees whose work has been merged";
    Read run_home(MergeBackPreview) -> MergeBackView = merge_back::preview: "previews merging isolated work into the plan's directory";
    Decide run_bring_home(MergeBackApply) -> MergeBackResult = merge_back::apply: "merges the work of isolated nodes into the plan's directory or a branch";
    Decide run_home_undo(MergeBackUndo) -> MergeBackResult = merge_back::undo: "undoes a merge into the plan's directory";
    Decide run_home_agent(MergeBackConflictAgent) -> RunView = merge_back::start_conflict_agent: "asks an agent to resolve a merge conflict";
    Read run_pull_request(PullRequestPreview) -> PullRequestView = pull_requests::preview: "shows what a pull request from a run's work would contain";
    Decide run_pull_request_open(PullRequestOpen) -> PullRequestResult = pull_requests::open: "opens a pull request from a run's work";
    Read node_fan_in(NodeRef) -> FanInView = merge_back::fan_in: "previews the merge that a node starts from";
    Read run_overlaps(RunRef) -> Vec<OverlapView> = overlaps::list: "lists parallel nodes that changed the same files";
    Read executors_list(Nothing) -> ExecutorsView = executors::list: "lists executors and takeovers";
    Read editors_list(Nothing) -> EditorList = files::editors: "lists the editors that can open files on this machine";
    Decide directory_open(DirectoryOpen) -> DirectoryOpened = files::open_directory: "opens the directory of a plan or node on this machine";
    Decide terminals_list(Nothing) -> TerminalsView = terminals::list: "lists the open terminals";
    Decide terminal_open(TerminalOpen) -> TerminalView = terminals::open: "opens a terminal in the directory of a plan or node";
    Decide terminal_output(TerminalOutputAfter) -> TerminalOutput = terminals::output: "shows what was printed in a terminal";
    Decide terminal_input(TerminalInput) -> TerminalInputResult = terminals::input: "types into a terminal";
    Decide terminal_resize(TerminalResize) -> Done = terminals::resize: "changes the size of a terminal";
    Decide terminal_close(TerminalRef) -> Done = terminals::close: "ends a terminal and what runs in it";
    Read settings_get(Nothing) -> Settings = settings::get: "shows the settings";
    Decide settings_save(Settings) -> Settings = settings::save: "saves the settings";
    Read tokens_list(Nothing) -> Vec<TokenView> = tokens::list: "lists access tokens";
    Decide token_create(TokenCreate) -> TokenCreated = tokens::create: "creates an access token, which is shown only once";
    Decide token_revoke(TokenRef) -> Vec<TokenView> = tokens::revoke: "revokes an access token";
    Read app_state_get(Nothing) -> AppState = documents::app_state: "shows the window's saved layout";
    Write app_state_save(AppState) -> AppState = documents::save_app_state: "saves the window's layout";
    Read enrichments_get(Nothing) -> Enrichments = documents::enrichments: "shows the stars, tags and notes of plans, nodes and sessions";
    Write enrichment_save(EnrichmentSave) -> Enrichments = documents::save_enrichment: "saves the star, tags and notes of a plan, node or session";
    Read about(Nothing) -> About = settings::about: "shows the version and the data directory";
}

/// Finds an operation by its name.
pub(crate) fn find(name: &str) -> Result<&'static Operation, ApiError> {
    let found = OPERATIONS.iter().find(|operation| operation.name == name);
    found.ok_or_else(|| ApiError::new(Code::NotFound, format!("there is no operation '{name}'")))
}

fn parse_input<T: DeserializeOwned>(name: &str, input: Value) -> Result<T, ApiError> {
    // Operations without input accept null.
    let input = if input.is_null() {
        Value::Object(serde_json::Map::new())
    } else {
        input
    };
    serde_json::from_value(input).map_err(|error| {
        ApiError::new(Code::BadInput, format!("invalid input for {name}: {error}"))
    })
}

/// The result of an operation: typed for this process, JSON for others.
pub trait OperationOutput: Any {
    /// Serializes the result to JSON.
    fn to_json(&self) -> Result<Value, serde_json::Error>;
    /// The result, for checking its type.
    fn as_any(&self) -> &dyn Any;
    /// The result, for downcasting it.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<T: Any + Serialize> OperationOutput for T {
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

/// Like [`dispatch`], with a JSON result.
pub fn call(app: &App, name: &str, input: Value) -> Result<Value, ApiError> {
    to_json_value(name, dispatch(app, name, input)?.as_ref())
}

/// Like [`dispatch`], with a typed result. Avoids serializing and parsing large plans.
pub fn call_typed<O: Any + DeserializeOwned>(
    app: &App,
    name: &str,
    input: Value,
) -> Result<O, ApiError> {
    let answer = dispatch(app, name, input)?;
    if !answer.as_ref().as_any().is::<O>() {
        return parse_output(name, to_json_value(name, answer.as_ref())?);
    }
    let other = |_| {
        ApiError::new(
            Code::Internal,
            format!("{name} returned an unexpected type"),
        )
    };
    answer
        .into_any()
        .downcast()
        .map(|answer| *answer)
        .map_err(other)
}

fn parse_output<O: DeserializeOwned>(name: &str, answer: Value) -> Result<O, ApiError> {
    let other = |error| {
        ApiError::new(
            Code::Internal,
            format!("{name} returned an unexpected type: {error}"),
        )
    };
    serde_json::from_value(answer).map_err(other)
}

fn to_json_value(name: &str, output: &dyn OperationOutput) -> Result<Value, ApiError> {
    output.to_json().map_err(|error| {
        ApiError::new(
            Code::Internal,
            format!("the result of {name} can't be serialized: {error}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Role;

    #[test]
    fn typed_call_and_json_call_agree() {
        let folder = tempfile::tempdir().expect("temp dir");
        let keeper = std::env::current_exe().expect("current exe");
        let app =
            App::open_with_keeper(folder.path().to_path_buf(), Role::Cli, keeper).expect("opens");
        let plans: Vec<PlanSummary> =
            call_typed(&app, "plans_list", Value::Null).expect("lists the examples");
        assert!(!plans.is_empty());
        let json = call(&app, "plans_list", Value::Null).expect("lists the examples");
        assert_eq!(serde_json::to_value(&plans).expect("JSON"), json);
        let read: Value = call_typed(&app, "plans_list", Value::Null).expect("converted from JSON");
        assert_eq!(read, json);
        let error =
            call_typed::<Vec<String>>(&app, "plans_list", Value::Null).expect_err("not a string");
        assert_eq!(error.code, Code::Internal);
        assert_eq!(
            call_typed::<Value>(&app, "no_such", Value::Null)
                .expect_err("no operation")
                .code,
            Code::NotFound
        );
    }
}
