//! Asking for the nodes of a plan over HTTP.

use baton_api::AccessLevel;
use baton_tests::served::{Served, token};
use serde_json::{Value, json};

use super::post;
use crate::planning::{planner_environment, settled};

const ANSWER: &str =
    r#"{"nodes": [{"id": "check", "title": "Check", "kind": "command", "command": "true"}]}"#;

#[test]
fn draft_is_filled_by_a_proposal() {
    let env = planner_environment(&[ANSWER]);
    let served = Served::start(&env);
    let write = token(&env, AccessLevel::Write);
    let make = |goal: &str| {
        let body = json!({ "title": "Ours", "description": goal, "cwd": env.work_dir.path() });
        let (status, made) = post(&served, &write, "/api/plans", "", &body);
        assert_eq!(status, 201, "{made:#}");
        let id = made["data"]["plan"]["id"].as_str().expect("an id");
        format!("/api/plans/{id}/generate")
    };
    let body = json!({
        "agent": "planner", "memories": ["Use make."], "existingCode": ["src/main.rs"],
    });
    let filling = make("It is checked.");
    let (status, accepted) = post(&served, &write, &filling, "", &body);
    assert_eq!(status, 202, "{accepted:#}");
    let summary = &accepted["data"]["proposal"]["summary"];
    assert_eq!(summary["kind"], "fill", "{accepted:#}");
    let proposal = summary["id"].as_str().and_then(|id| id.parse().ok());
    let proposal = proposal.expect("an id");
    settled(&env, proposal);
    let prompt = env.read("prompt.0");
    for part in ["> Use make.", "> src/main.rs"] {
        assert!(prompt.contains(part), "{part} is missing in {prompt}");
    }
    for (path, why) in [
        (filling, proposal.to_string()),
        (make(""), "description".to_owned()),
    ] {
        let (status, refused) = post(&served, &write, &path, "", &body);
        assert_eq!(status, 409, "{refused:#}");
        let error: &Value = &refused["error"];
        assert_eq!(error["code"], "REFUSED", "{refused:#}");
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.contains(&why), "{refused:#}");
    }
    let accept = format!("/api/proposals/{proposal}/accept");
    let round = json!({ "round": 1 });
    let (status, refused) = post(&served, &write, &accept, "", &round);
    assert_eq!(status, 403, "only a person decides: {refused:#}");
    let decide = token(&env, AccessLevel::Decide);
    let (status, accepted) = post(&served, &decide, &accept, "", &round);
    assert_eq!(status, 200, "{accepted:#}");
    let plan = &accepted["data"]["plan"];
    assert_eq!(
        (&plan["totalSteps"], &plan["informedByMemories"]),
        (&json!(1), &json!(["Use make."]))
    );
}
