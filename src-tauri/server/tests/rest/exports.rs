//! Plans and runs as files.

use serde_json::{Value, json};

use super::Result;
use super::client::{Client, made_plan};
use crate::wire::TestServer;

/// The first bytes of a PNG file, in Base64.
const PNG: &str = "iVBORw0KGgo";

#[test]
fn plans_are_exported_as_texts_and_as_a_picture() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let plan = made_plan(&client)?;
    let yaml = client.get(&format!("{plan}/export"))?.body["data"].clone();
    assert!(
        yaml["text"]
            .as_str()
            .is_some_and(|text| text.contains("baton: 1")),
        "{yaml}"
    );
    assert_eq!(yaml["base64"], Value::Null);
    let picture = client.get(&format!("{plan}/export?format=png"))?;
    assert_eq!(picture.status, 200, "{}", picture.text);
    let picture = &picture.body["data"];
    let name = picture["fileName"].as_str().unwrap_or_default();
    assert!(name.ends_with(".png"), "{name}");
    assert_eq!(picture["text"], Value::Null);
    let bytes = picture["base64"].as_str().unwrap_or_default();
    assert!(bytes.starts_with(PNG) && bytes.len() > 1_000, "{bytes}");
    let issues = client.get(&format!("{plan}/export?format=github_issues"))?;
    let issues = issues.body["data"]["text"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let first: Value = serde_json::from_str(issues.lines().next().unwrap_or_default())?;
    assert_eq!(first["number"], 1);
    let refused = client.get(&format!("{plan}/export?format=gif"))?;
    assert_eq!(refused.status, 400, "{}", refused.text);
    Ok(())
}

#[test]
fn run_is_exported_as_one_html_file() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let plan = made_plan(&client)?;
    client.post(&format!("{plan}/approve"), &Value::Null)?;
    client.post(&format!("{plan}/execute"), &Value::Null)?;
    client.post(&format!("{plan}/resume"), &json!({ "input": "yes" }))?;
    let run = client.get(&plan)?.body["data"]["run"].clone();
    let run = run.as_str().ok_or("a run")?;
    let file = client.get(&format!("/api/runs/{run}/export?format=html"))?;
    assert_eq!(file.status, 200, "{}", file.text);
    let text = file.body["data"]["text"].as_str().unwrap_or_default();
    assert!(text.starts_with("<!doctype html>"), "{text}");
    assert!(text.contains("What people decided") && !text.contains("<script"));
    Ok(())
}
