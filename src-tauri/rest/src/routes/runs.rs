//! `/api/runs`: runs of all plans, and decisions about their nodes.

use baton_api::wire::{
    ArtifactView, FileText, HistoryRow, NodeRunView, Nothing, ProposalView, RunExportFormat,
    RunSummary, RunView, RunsPage,
};
use baton_model::run::Answer;
use baton_model::{NodeId, PlanId, RunId};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::plan_reading::progress;
use crate::answer::Reply;
use crate::request::Call;
use crate::route::RequestBody;
use crate::schema::{answers, inputs, words};
use crate::{ErrorCode, Method, RestError, Route};

/// How many events or runs are answered unless the request says it.
const DEFAULT_LIMIT: u32 = 20;

words! {
    /// Selects runs by their state.
    pub(crate) enum RunStateWord {
        Running,
        Paused,
        Replanning,
        Stalled,
        Completed,
        Failed,
        Cancelled,
    }
}

inputs! {
    /// Selects runs.
    pub(crate) struct RunsQuery {
        /// Only runs of this plan.
        pub(crate) plan: Option<PlanId>,
        /// Only runs in this state.
        pub(crate) status: Option<RunStateWord>,
        /// Words of the plan's title, a number such as `#41`, or the beginning of an id.
        pub(crate) search: Option<String>,
        /// From 1 to 200; 20 by default.
        pub(crate) limit: Option<u32>,
        /// `nextCursor` of the page before.
        pub(crate) cursor: Option<String>,
    }
    /// Selects events of a run.
    pub(crate) struct RunHistoryQuery {
        /// Only events after this one.
        pub(crate) after: Option<u64>,
        /// From 1 to 1,000; 20 by default.
        pub(crate) limit: Option<u32>,
    }
    /// A file to make of a run.
    pub(crate) struct RunExportQuery {
        /// `html` unless something else is asked for.
        pub(crate) format: Option<RunExportFormat>,
    }
    /// A person's answer.
    pub(crate) struct InputBody {
        pub(crate) value: String,
    }
    /// Instructions for the planner.
    pub(crate) struct ReplanBody {
        /// Only this node; by default, everything that failed.
        pub(crate) node: Option<NodeId>,
        /// What to do differently.
        pub(crate) wish: String,
        /// The agent that plans.
        pub(crate) agent: Option<String>,
        pub(crate) model: Option<String>,
    }
    /// How to skip a node.
    pub(crate) struct SkipBody {
        /// Stop its running session first.
        pub(crate) stop: bool,
    }
    /// A node's work that a person did.
    pub(crate) struct DoneBody {
        /// The handoff, in Markdown.
        pub(crate) result: String,
        /// Stop its running session first.
        pub(crate) stop: bool,
    }
    /// How to pause.
    pub(crate) struct PauseRunBody {
        /// Stop running nodes as well; they start again on resume.
        pub(crate) stop_running: bool,
    }
}

/// A person's answer to a question of a session.
#[derive(Debug, Clone, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerBody {
    /// The question's id, from what the node waits for.
    request: String,
    /// The answer.
    answer: Answer,
}

impl RequestBody for InputBody {}
impl RequestBody for ReplanBody {}
impl RequestBody for SkipBody {}
impl RequestBody for DoneBody {}
impl RequestBody for PauseRunBody {}
impl RequestBody for AnswerBody {}

answers! {
    /// One page of runs, latest first.
    pub(crate) struct Runs {
        pub(crate) runs: Vec<baton_api::wire::RunsPageRow>,
        pub(crate) total: u32,
        pub(crate) limit: u32,
        /// Continues after this page; `null` on the last one.
        pub(crate) next_cursor: Option<String>,
    }
    /// A part of a run's history, in its order.
    pub(crate) struct RunEvents {
        pub(crate) events: Vec<HistoryRow>,
        /// `after` of the next part; `null` if nothing follows yet.
        pub(crate) next: Option<u64>,
    }
    /// The handoffs of a run.
    pub(crate) struct Handoffs {
        pub(crate) handoffs: Vec<ArtifactView>,
    }
    /// The nodes of a run.
    pub(crate) struct RunNodes {
        pub(crate) nodes: Vec<NodeRunView>,
    }
    /// What became of a run.
    pub(crate) struct ChangedRun {
        pub(crate) run: RunSummary,
    }
    /// A planner's proposal.
    pub(crate) struct Proposed {
        pub(crate) proposal: ProposalView,
    }
}

type Changed = Result<Reply<ChangedRun>, RestError>;

pub(super) fn routes() -> Vec<Route> {
    let gone = [ErrorCode::NotFound];
    let refused = [ErrorCode::NotFound, ErrorCode::Refused];
    let (get, post) = (Method::Get, Method::Post);
    let node = |act: &str| format!("/api/runs/{{run}}/nodes/{{node}}/{act}");
    vec![
        Route::new(
            get,
            "/api/runs",
            "listRuns",
            "lists runs, latest first",
            list,
        ),
        Route::new(
            get,
            "/api/runs/{run}",
            "getRun",
            "shows a run with its nodes",
            show,
        )
        .errors(&gone)
        .markdown(),
        Route::new(
            get,
            "/api/runs/{run}/history",
            "getRunHistory",
            "shows the events of a run",
            history,
        )
        .errors(&gone),
        Route::new(
            get,
            "/api/runs/{run}/export",
            "exportRun",
            "exports a run as one HTML file",
            export,
        )
        .errors(&gone),
        Route::new(
            get,
            "/api/runs/{run}/nodes",
            "listRunNodes",
            "lists the nodes of a run",
            nodes,
        )
        .errors(&gone),
        Route::new(
            get,
            "/api/runs/{run}/handoffs",
            "listHandoffs",
            "lists the handoffs of a run",
            handoffs,
        )
        .errors(&gone)
        .markdown(),
        Route::new(
            post,
            "/api/runs/{run}/pause",
            "pauseRun",
            "pauses a run",
            pause,
        )
        .write()
        .errors(&refused)
        .example(r#"{"stopRunning": false}"#),
        Route::new(
            post,
            "/api/runs/{run}/resume",
            "resumeRun",
            "resumes a run",
            resume,
        )
        .write()
        .errors(&refused),
        Route::new(
            post,
            "/api/runs/{run}/cancel",
            "cancelRun",
            "cancels a run and ends its processes",
            cancel,
        )
        .write()
        .errors(&refused),
        Route::new(
            post,
            "/api/runs/{run}/replan",
            "replanRun",
            "asks an agent to replan after a run that didn't complete",
            replan,
        )
        .write()
        .success(202)
        .errors(&[ErrorCode::NotFound, ErrorCode::Refused, ErrorCode::NoAgent])
        .example(r#"{"wish": "Use the other test runner."}"#),
        Route::new(
            post,
            node("approve"),
            "approveNode",
            "approves the start of a node",
            approve_node,
        )
        .decide()
        .errors(&refused),
        Route::new(
            post,
            node("refuse"),
            "refuseNode",
            "rejects the start of a node",
            refuse_node,
        )
        .decide()
        .errors(&refused),
        Route::new(
            post,
            node("input"),
            "giveNodeInput",
            "answers a node that asks for input",
            input,
        )
        .decide()
        .errors(&refused)
        .example(r#"{"value": "yes"}"#),
        Route::new(
            post,
            node("answer"),
            "answerNode",
            "answers a question of a node's session",
            answer,
        )
        .decide()
        .errors(&refused)
        .example(r#"{"request": "req-1", "answer": {"kind": "allow_once"}}"#),
        Route::new(post, node("skip"), "skipRunNode", "skips a node", skip)
            .decide()
            .errors(&refused)
            .example(r#"{"stop": false}"#),
        Route::new(
            post,
            node("done"),
            "markRunNodeDone",
            "marks a node as done without running it",
            done,
        )
        .decide()
        .errors(&refused)
        .example(r#"{"result": "**What was done:** tested by hand."}"#),
    ]
}

fn list(call: &Call<RunsQuery, Nothing>) -> Result<Reply<Runs>, RestError> {
    let query = &call.query;
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT);
    let states: Vec<RunStateWord> = query.status.into_iter().collect();
    let input = json!({
        "plan": query.plan, "states": states, "startedBy": null, "since": null, "until": null,
        "search": query.search.as_deref().unwrap_or_default(), "sort": "newest",
        "after": query.cursor, "limit": limit,
    });
    let page: RunsPage = call.operations().call("runs_page", &input)?;
    Ok(Reply::of(Runs {
        runs: page.rows,
        total: page.total,
        limit,
        next_cursor: page.next,
    }))
}

fn show(call: &Call<Nothing, Nothing>) -> Result<Reply<RunView>, RestError> {
    let run: RunId = call.id("run")?;
    let operations = call.operations();
    let view: RunView = operations.call("run_get", &json!({ "run": run }))?;
    if !call.conditions.markdown {
        return Ok(Reply::of(view));
    }
    let input = json!({
        "plan": view.plan, "format": "markdown", "run": run, "nodes": null,
        "direction": view.plan.direction, "dark": false,
    });
    let document: FileText = operations.call("plan_draw", &input)?;
    Ok(Reply::markdown(document.text))
}

fn history(call: &Call<RunHistoryQuery, Nothing>) -> Result<Reply<RunEvents>, RestError> {
    let run: RunId = call.id("run")?;
    let limit = call.query.limit.unwrap_or(DEFAULT_LIMIT);
    check_limit(limit)?;
    let input = json!({ "run": run, "after": call.query.after.unwrap_or(0), "limit": limit });
    let events: Vec<HistoryRow> = call.operations().call("run_history", &input)?;
    let is_full = events.len() == limit as usize;
    let next = events.last().map(|event| event.seq).filter(|_| is_full);
    Ok(Reply::of(RunEvents { events, next }))
}

/// Refuses a limit that no list has.
pub(super) fn check_limit(limit: u32) -> Result<(), RestError> {
    if (1..=1000).contains(&limit) {
        return Ok(());
    }
    let message = "'limit' must be from 1 to 1,000";
    Err(RestError::new(ErrorCode::InvalidRequest, message))
}

fn export(call: &Call<RunExportQuery, Nothing>) -> Result<Reply<FileText>, RestError> {
    let run: RunId = call.id("run")?;
    let format = call.query.format.unwrap_or_default();
    let input = json!({ "run": run, "format": format });
    Ok(Reply::of(call.operations().call("run_export", &input)?))
}

fn nodes(call: &Call<Nothing, Nothing>) -> Result<Reply<RunNodes>, RestError> {
    let run = progress(&call.operations(), call.id("run")?)?;
    Ok(Reply::of(RunNodes { nodes: run.nodes }))
}

fn handoffs(call: &Call<Nothing, Nothing>) -> Result<Reply<Handoffs>, RestError> {
    let run: RunId = call.id("run")?;
    let operations = call.operations();
    let handoffs: Vec<ArtifactView> = operations.call("artifacts_list", &json!({ "run": run }))?;
    if !call.conditions.markdown {
        return Ok(Reply::of(Handoffs { handoffs }));
    }
    let view: RunView = operations.call("run_get", &json!({ "run": run }))?;
    let section = |handoff: &ArtifactView| {
        let title = view.plan.node(handoff.node).map(|node| node.title.as_str());
        format!(
            "# {}\n\n{}\n",
            title.unwrap_or("Node"),
            handoff.content.text.trim_end()
        )
    };
    let sections: Vec<String> = handoffs.iter().map(section).collect();
    Ok(Reply::markdown(sections.join("\n")))
}

/// Calls an operation on the run of the path.
fn on_run<Q, B>(call: &Call<Q, B>, operation: &str, more: &impl Serialize) -> Changed {
    let run: RunId = call.id("run")?;
    act(call, operation, json!({ "run": run }), more)
}

/// Calls an operation on the node of the path, by its id or its name in the run's version.
fn on_node<Q, B>(call: &Call<Q, B>, operation: &str, more: &impl Serialize) -> Changed {
    let run: RunId = call.id("run")?;
    let view: RunView = call.operations().call("run_get", &json!({ "run": run }))?;
    let name = call.name("node");
    let id: Option<NodeId> = name.parse().ok();
    let mut nodes = view.plan.nodes.iter();
    let node = nodes.find(|node| node.slug.as_str() == name || Some(node.id) == id);
    let node = node.ok_or_else(|| {
        RestError::new(ErrorCode::NotFound, format!("the run has no node '{name}'"))
    })?;
    act(
        call,
        operation,
        json!({ "run": run, "node": node.id }),
        more,
    )
}

fn act<Q, B>(call: &Call<Q, B>, operation: &str, subject: Value, more: &impl Serialize) -> Changed {
    let mut input: Map<String, Value> = serde_json::from_value(subject).unwrap_or_default();
    if let Ok(Value::Object(more)) = serde_json::to_value(more) {
        input.extend(more);
    }
    let run: RunSummary = call.operations().call(operation, &input)?;
    Ok(Reply::of(ChangedRun { run }))
}

fn pause(call: &Call<Nothing, PauseRunBody>) -> Changed {
    on_run(
        call,
        "run_pause",
        &json!({ "stopRunning": call.body.stop_running }),
    )
}

fn resume(call: &Call<Nothing, Nothing>) -> Changed {
    on_run(call, "run_resume", &json!({}))
}

fn cancel(call: &Call<Nothing, Nothing>) -> Changed {
    on_run(call, "run_cancel", &json!({}))
}

fn replan(call: &Call<Nothing, ReplanBody>) -> Result<Reply<Proposed>, RestError> {
    let run: RunId = call.id("run")?;
    let ReplanBody {
        node,
        wish,
        agent,
        model,
    } = &call.body;
    let input = json!({ "run": run, "node": node, "wish": wish, "agent": agent, "model": model });
    let proposal: ProposalView = call.operations().call("run_replan", &input)?;
    Ok(Reply::of(Proposed { proposal }).accepted())
}

fn approve_node(call: &Call<Nothing, Nothing>) -> Changed {
    on_node(call, "node_approve", &json!({ "allow": true }))
}

fn refuse_node(call: &Call<Nothing, Nothing>) -> Changed {
    on_node(call, "node_approve", &json!({ "allow": false }))
}

fn input(call: &Call<Nothing, InputBody>) -> Changed {
    on_node(call, "node_input", &json!({ "value": call.body.value }))
}

fn answer(call: &Call<Nothing, AnswerBody>) -> Changed {
    let AnswerBody { request, answer } = &call.body;
    on_node(
        call,
        "node_answer",
        &json!({ "request": request, "answer": answer }),
    )
}

fn skip(call: &Call<Nothing, SkipBody>) -> Changed {
    on_node(call, "node_skip", &json!({ "stop": call.body.stop }))
}

fn done(call: &Call<Nothing, DoneBody>) -> Changed {
    let DoneBody { result, stop } = &call.body;
    on_node(
        call,
        "node_mark_done",
        &json!({ "handoff": result, "stop": stop }),
    )
}
