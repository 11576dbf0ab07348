//! `/api/plans/{plan}`: one plan.

use baton_api::wire::{FileText, Nothing, PlanSaved};
use baton_model::PlanId;
use serde_json::json;

use super::life;
use super::plan_history::{self, RECENT};
use super::plans::current;
use crate::answer::Reply;
use crate::request::Call;
use crate::resources::{
    ChangedPlan, NodeItem, Nodes, PlanChanges, PlanWithSteps, Step, Steps, Vocabulary,
    plan_file_keys,
};
use crate::schema::answers;
use crate::{ErrorCode, Method, RestError, Route};

answers! {
    /// The plan is gone. A person can restore it for 30 days.
    pub(crate) struct Deleted {
        pub(crate) deleted: bool,
    }
}

const ERRORS: [ErrorCode; 3] = [ErrorCode::NotFound, ErrorCode::Conflict, ErrorCode::Invalid];

pub(super) fn routes() -> Vec<Route> {
    let path = "/api/plans/{plan}";
    let change_errors = [&ERRORS[..], &[ErrorCode::DerivedField, ErrorCode::Refused]].concat();
    vec![
        Route::new(
            Method::Get,
            path,
            "getPlan",
            "shows a plan with its nodes",
            get,
        )
        .errors(&[ErrorCode::NotFound])
        .etag()
        .markdown(),
        Route::new(
            Method::Put,
            path,
            "replacePlan",
            "changes the settings of a plan",
            change,
        )
        .write()
        .errors(&change_errors)
        .etag()
        .conditional()
        .example(
            r#"{"title": "Tidy up", "description": "No unused files.", "cwd": "/home/me/project"}"#,
        ),
        Route::new(
            Method::Patch,
            path,
            "updatePlan",
            "changes some settings of a plan, or starts, pauses or cancels it",
            change,
        )
        .write()
        .errors(&change_errors)
        .etag()
        .conditional()
        .example(r#"{"priority": 8, "metadata": {"ticket": "T-7"}}"#),
        Route::new(
            Method::Delete,
            path,
            "deletePlan",
            "deletes a plan for 30 days, then for good",
            delete,
        )
        .decide()
        .errors(&[ErrorCode::NotFound, ErrorCode::Conflict, ErrorCode::Refused])
        .conditional(),
    ]
}

fn get(call: &Call<Nothing, Nothing>) -> Result<Reply<PlanWithSteps>, RestError> {
    let operations = call.operations();
    let reading = current(call)?;
    let revision = reading.view.revision;
    if call.conditions.markdown {
        let input = json!({
            "plan": reading.view.plan, "format": "markdown",
            "run": reading.view.last_run.as_ref().map(|run| run.id),
            "nodes": null, "direction": reading.view.plan.direction, "dark": false,
        });
        let document: FileText = operations.call("plan_draw", &input)?;
        return Ok(Reply::markdown(document.text).at(revision));
    }
    // Both lists are made of the same facts.
    let steps: Vec<Step> = items::<Steps>(&reading, &operations)?;
    let nodes: Vec<NodeItem> = items::<Nodes>(&reading, &operations)?;
    let plan = reading.resource();
    let (recent_history, _) = plan_history::entries(&operations, plan.item.id, RECENT, None)?;
    Ok(Reply::of(PlanWithSteps {
        plan,
        steps,
        nodes,
        recent_history,
    })
    .at(revision))
}

fn items<V: Vocabulary>(
    reading: &super::plan_reading::PlanReading,
    operations: &crate::request::Operations,
) -> Result<Vec<V::Item>, RestError> {
    Ok(reading
        .nodes(operations)?
        .into_iter()
        .map(V::item)
        .collect())
}

fn change(call: &Call<Nothing, PlanChanges>) -> Result<Reply<ChangedPlan>, RestError> {
    let plan: PlanId = call.id("plan")?;
    let changes = plan_file_keys(&call.body.keys)?;
    let message = match call.body.status {
        Some(status) if changes.is_empty() => {
            let reading = current(call)?;
            call.conditions.if_match.require(reading.view.revision)?;
            let base = call.conditions.if_match.base();
            life::act(&call.operations(), &reading, status, base)?
        }
        Some(_) => {
            let message = "a change of 'status' must be the only one";
            return Err(RestError::new(ErrorCode::Invalid, message)
                .with_fix("send the other changes in a request of their own"));
        }
        None => {
            let base = call.conditions.if_match.base();
            let input = json!({ "plan": plan, "changes": changes, "baseRevision": base });
            let _: PlanSaved = call.operations().call("plan_patch", &input)?;
            "Plan saved."
        }
    };
    let reading = current(call)?;
    Ok(Reply::of(ChangedPlan {
        plan: reading.resource(),
        message: message.to_owned(),
    })
    .at(reading.view.revision))
}

fn delete(call: &Call<Nothing, Nothing>) -> Result<Reply<Deleted>, RestError> {
    let plan: PlanId = call.id("plan")?;
    let input = json!({ "plan": plan, "baseRevision": call.conditions.if_match.base() });
    let _: baton_api::wire::Done = call.operations().call("plan_delete", &input)?;
    Ok(Reply::of(Deleted { deleted: true }))
}
