//! Tests the review of a plan by operations: submitting, withdrawing, rejecting, approving.

use baton_api::wire::*;
use baton_api::{ApiError, Code};
use baton_model::review::RejectionReason;
use baton_model::{PlanId, ReviewState};
use baton_store::Actor;
use baton_tests::{Shell, TestEnvironment};
use serde_json::{Value, json};

const ONE: &str = "
baton: 1
title: One
nodes:
  - {id: first, kind: command, command: 'true'}
";

fn review(env: &TestEnvironment, operation: &str, input: Value) -> Result<ReviewState, ApiError> {
    let view: PlanView = env.call(operation, input)?;
    Ok(view.review)
}

#[test]
fn plan_is_submitted_rejected_changed_and_approved() {
    let env = TestEnvironment::new();
    let plan = env.import(ONE).plan.id;
    let of = |extra: Value| {
        let mut input = extra;
        input["plan"] = json!(plan);
        input
    };
    assert_eq!(
        review(&env, "plan_submit", of(json!({}))),
        Ok(ReviewState::Proposed)
    );
    let again = review(&env, "plan_submit", of(json!({}))).expect_err("it waits already");
    assert_eq!(again.code, Code::Refused);
    assert_eq!(
        review(&env, "plan_withdraw", of(json!({}))),
        Ok(ReviewState::Draft)
    );
    for (expected, round) in [
        (ReviewState::Rejected, 1),
        (ReviewState::Rejected, 2),
        (ReviewState::NeedsReview, 3),
    ] {
        assert_eq!(
            review(&env, "plan_submit", of(json!({}))),
            Ok(ReviewState::Proposed),
            "{round}"
        );
        let input = of(json!({"reason": "missing_check", "feedback": "test it"}));
        assert_eq!(review(&env, "plan_reject", input), Ok(expected), "{round}");
    }
    let counted: Statistics = env.call("statistics_get", Value::Null).expect("statistics");
    let found = &counted.planning.rejections;
    let found: Vec<_> = found.iter().map(|one| (one.reason, one.count)).collect();
    assert_eq!(found, [(Some(RejectionReason::MissingCheck), 3)]);
    let token = json!({"name": "ci", "surface": "write"});
    let _: TokenCreated = env.call("token_create", token).expect("a new token");
    let app = env.app.acting_as(Actor::Program("ci".to_owned()));
    for operation in ["plan_submit", "plan_withdraw"] {
        let refused = baton_api::call(&app, operation, json!({"plan": plan}));
        let refused = refused.expect_err("a person is next");
        assert_eq!(refused.code, Code::Refused, "{operation}");
    }
    let view: PlanView = env
        .call("plan_get", json!({"plan": plan}))
        .expect("the plan");
    let approve = json!({"plan": plan, "revision": view.revision});
    assert_eq!(
        review(&env, "plan_approve", approve),
        Ok(ReviewState::Approved)
    );
    let history: PlanHistoryPage = env
        .call("plan_history", json!({"plan": plan, "limit": 100}))
        .expect("readable");
    let types: Vec<_> = history
        .rows
        .iter()
        .rev()
        .map(|row| serde_json::to_value(row.history_type).expect("a word"))
        .collect();
    let expected = [
        "created",
        "proposed",
        "withdrawn",
        "proposed",
        "rejected",
        "proposed",
        "rejected",
        "proposed",
        "rejected",
        "approved",
    ];
    assert_eq!(types, expected);
}

#[test]
fn other_programs_may_not_withdraw_and_none_may_reject() {
    let env = TestEnvironment::new();
    for name in ["ci", "cron"] {
        let token = json!({"name": name, "surface": "write"});
        let _: TokenCreated = env.call("token_create", token).expect("a new token");
    }
    let plan = env.import(ONE).plan.id;
    let call = |name: &str, operation: &str| {
        let app = env.app.acting_as(Actor::Program(name.to_owned()));
        baton_api::call(&app, operation, json!({"plan": plan})).map_err(|error| error.code)
    };
    call("ci", "plan_submit").expect("a draft");
    assert_eq!(call("cron", "plan_withdraw"), Err(Code::Refused));
    assert_eq!(call("ci", "plan_reject"), Err(Code::Forbidden));
    call("ci", "plan_withdraw").expect("its own");
}

#[test]
fn unfinished_plan_is_not_submitted_and_an_old_revision_is_a_conflict() {
    let env = TestEnvironment::new();
    let empty: PlanView = env
        .call(
            "plan_create",
            json!({"title": "Empty", "description": "", "cwd": env.work_dir.path()}),
        )
        .expect("created");
    let error = review(&env, "plan_submit", json!({"plan": empty.plan.id})).expect_err("no nodes");
    assert_eq!(error.code, Code::Invalid);
    let plan = env.import(ONE);
    let input = json!({"plan": plan.plan.id, "baseRevision": plan.revision + 1});
    let error = review(&env, "plan_submit", input).expect_err("another revision");
    assert_eq!(error.code, Code::Conflict);
}

/// The plans in the Inbox, with who submitted them and whether they need a person's review.
fn plans_in_inbox(env: &TestEnvironment) -> Vec<(PlanId, Option<String>, bool)> {
    let items: Vec<InboxItem> = env.call("inbox_list", Nothing {}).expect("a list");
    let plans = items.into_iter().filter_map(|item| match item.ask {
        InboxRequest::PlanReview {
            submitted_by,
            needs_review,
            ..
        } => Some((item.plan, submitted_by, needs_review)),
        _ => None,
    });
    plans.collect()
}

#[test]
fn submitted_plan_waits_in_the_inbox_until_a_person_decides() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let plan = env.import(ONE).plan.id;
    assert_eq!(plans_in_inbox(&env), []);
    let token = json!({"name": "ci", "surface": "write"});
    let _: TokenCreated = env.call("token_create", token).expect("a new token");
    let app = env.app.acting_as(Actor::Program("ci".to_owned()));
    let submit = || baton_api::call(&app, "plan_submit", json!({"plan": plan}));
    for round in 1..=3 {
        submit().expect("a draft");
        let by = Some("program:ci".to_owned());
        assert_eq!(plans_in_inbox(&env), [(plan, by, false)], "{round}");
        let overview: Overview = env.call("overview_get", Nothing {}).expect("an overview");
        assert_eq!(overview.waiting, 1, "it counts in the badge");
        let said = shell.run(&["inbox"]);
        let by = "submitted for review by the program ci";
        assert!(said.out.contains(by), "{said:?}");
        let command = format!("baton plan approve {plan}");
        assert!(said.out.contains(&command), "{said:?}");
        let input = json!({"plan": plan, "reason": "risk", "feedback": "no"});
        review(&env, "plan_reject", input).expect("it waits");
        assert_eq!(plans_in_inbox(&env).len(), usize::from(round == 3));
    }
    let by = Some("program:ci".to_owned());
    assert_eq!(plans_in_inbox(&env), [(plan, by, true)], "a person is next");
    let said = shell.run(&["plan", "approve", &plan.to_string()]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(plans_in_inbox(&env), []);
}
