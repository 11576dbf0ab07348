//! The versions of a plan, its documents, and whether it can run.

use baton_api::wire::{FileBytes, FileText, Nothing, PlanVersionRow, Preflight};
use baton_model::simulation::Simulation;
use baton_model::{Plan, PlanDiff, PlanId};
use serde_json::json;

use super::plans::current;
use crate::answer::Reply;
use crate::request::Call;
use crate::schema::{answers, inputs, words};
use crate::{ErrorCode, Method, RestError, Route};

words! {
    /// What a plan can be exported as.
    pub(crate) enum PlanFormat {
        Yaml,
        Json,
        Markdown,
        Mermaid,
        Dot,
        Svg,
        /// A picture, whose bytes are in `base64`.
        Png,
        /// JSON Lines with an issue for each node.
        GithubIssues,
    }
}

inputs! {
    /// Two versions to compare.
    pub(crate) struct DiffQuery {
        /// The earlier version; by default, the one before `to`.
        pub(crate) from: Option<u32>,
        /// The later version; by default, the current one.
        pub(crate) to: Option<u32>,
    }
    /// A document to make of a plan.
    pub(crate) struct ExportQuery {
        /// `yaml` unless something else is asked for.
        pub(crate) format: Option<PlanFormat>,
        /// Show the states of the latest run, in formats that can.
        pub(crate) states: Option<bool>,
    }
}

answers! {
    /// A plan as a file.
    pub(crate) struct ExportedPlan {
        /// The name alone, without a folder.
        pub(crate) file_name: String,
        /// The whole text; `null` for a picture.
        pub(crate) text: Option<String>,
        /// The bytes of a picture in Base64; `null` for a text.
        pub(crate) base64: Option<String>,
    }
    /// The versions of a plan, latest first.
    pub(crate) struct Versions {
        pub(crate) versions: Vec<PlanVersionRow>,
        pub(crate) total: u32,
    }
    /// The content of one version.
    pub(crate) struct Version {
        pub(crate) version: u32,
        pub(crate) plan: Plan,
    }
    /// What one version changed against another.
    pub(crate) struct Difference {
        pub(crate) from: u32,
        pub(crate) to: u32,
        pub(crate) diff: PlanDiff,
    }
}

pub(super) fn routes() -> Vec<Route> {
    let gone = [ErrorCode::NotFound];
    let get = Method::Get;
    vec![
        Route::new(
            get,
            "/api/plans/{plan}/versions",
            "listPlanVersions",
            "lists the versions of a plan",
            list,
        )
        .errors(&gone),
        Route::new(
            get,
            "/api/plans/{plan}/versions/{version}",
            "getPlanVersion",
            "shows a version of a plan",
            version,
        )
        .errors(&gone),
        Route::new(
            get,
            "/api/plans/{plan}/diff",
            "comparePlanVersions",
            "compares two versions of a plan",
            diff,
        )
        .errors(&gone),
        Route::new(
            get,
            "/api/plans/{plan}/export",
            "exportPlan",
            "exports a plan as a document",
            export,
        )
        .errors(&gone),
        Route::new(
            get,
            "/api/plans/{plan}/preflight",
            "checkPlan",
            "checks whether a plan can run on this machine",
            preflight,
        )
        .errors(&gone),
        Route::new(
            get,
            "/api/plans/{plan}/simulate",
            "simulatePlan",
            "shows what a run of a plan would do, without running anything",
            simulate,
        )
        .errors(&[ErrorCode::NotFound, ErrorCode::Refused]),
    ]
}

fn list(call: &Call<Nothing, Nothing>) -> Result<Reply<Versions>, RestError> {
    let plan: PlanId = call.id("plan")?;
    let input = json!({ "plan": plan });
    let versions: Vec<PlanVersionRow> = call.operations().call("plan_versions", &input)?;
    let total = u32::try_from(versions.len()).unwrap_or(u32::MAX);
    Ok(Reply::of(Versions { versions, total }))
}

fn version(call: &Call<Nothing, Nothing>) -> Result<Reply<Version>, RestError> {
    let (plan, version): (PlanId, u32) = (call.id("plan")?, call.id("version")?);
    let input = json!({ "plan": plan, "version": version });
    let plan: Plan = call.operations().call("plan_version_get", &input)?;
    Ok(Reply::of(Version { version, plan }))
}

fn diff(call: &Call<DiffQuery, Nothing>) -> Result<Reply<Difference>, RestError> {
    let to = match call.query.to {
        Some(to) => to,
        None => current(call)?.view.version,
    };
    let from = call
        .query
        .from
        .unwrap_or_else(|| to.saturating_sub(1).max(1));
    let plan: PlanId = call.id("plan")?;
    let input = json!({ "plan": plan, "from": from, "to": to });
    let diff: PlanDiff = call.operations().call("plan_compare", &input)?;
    Ok(Reply::of(Difference { from, to, diff }))
}

fn export(call: &Call<ExportQuery, Nothing>) -> Result<Reply<ExportedPlan>, RestError> {
    let view = current(call)?.view;
    let run = view.last_run.as_ref().map(|run| run.id);
    let run = run.filter(|_| call.query.states.unwrap_or(false));
    let format = call.query.format.unwrap_or(PlanFormat::Yaml);
    let direction = view.plan.direction;
    if format == PlanFormat::Png {
        let input = json!({
            "plan": view.plan, "run": run, "nodes": null, "direction": direction, "dark": false,
        });
        let file: FileBytes = call.operations().call("plan_picture", &input)?;
        return Ok(Reply::of(ExportedPlan {
            file_name: file.file_name,
            text: None,
            base64: Some(file.base64),
        }));
    }
    let input = json!({
        "plan": view.plan, "format": format, "run": run, "nodes": null,
        "direction": direction, "dark": false,
    });
    let file: FileText = call.operations().call("plan_draw", &input)?;
    Ok(Reply::of(ExportedPlan {
        file_name: file.file_name,
        text: Some(file.text),
        base64: None,
    }))
}

fn preflight(call: &Call<Nothing, Nothing>) -> Result<Reply<Preflight>, RestError> {
    let plan: PlanId = call.id("plan")?;
    let input = json!({ "plan": plan });
    Ok(Reply::of(call.operations().call("plan_preflight", &input)?))
}

fn simulate(call: &Call<Nothing, Nothing>) -> Result<Reply<Simulation>, RestError> {
    let plan: PlanId = call.id("plan")?;
    let input = json!({ "plan": plan });
    Ok(Reply::of(call.operations().call("plan_simulate", &input)?))
}
