//! The list entries for recordings of each agent.

use std::fmt::Write as _;

use baton_transcripts::{Agent, TranscriptRow};

use crate::home::{Home, rows};

/// The statistics of a row that can be verified manually.
fn describe(row: &TranscriptRow) -> String {
    let mut text = String::new();
    let usage = row.usage;
    let known = |count: Option<u64>| count.map_or("?".to_owned(), |count| count.to_string());
    let tokens = [
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
    ]
    .map(known);
    write!(
        text,
        "{} | {:?} | {:?} | {} messages | {} | ${} | {:?} {:?} {:?} | {} ms",
        row.id,
        row.title.as_deref().unwrap_or("none"),
        row.project.as_deref().unwrap_or("none"),
        row.messages,
        tokens.join(" "),
        usage.usd.map_or("?".to_owned(), |usd| format!(
            "{usd:.6}{}",
            if row.usd_is_estimate { " by table" } else { "" }
        )),
        row.model.as_deref().unwrap_or("none"),
        row.branch.as_deref().unwrap_or("none"),
        row.version.as_deref().unwrap_or("none"),
        row.ended_at
            .zip(row.started_at)
            .map_or(-1, |(end, start)| end - start),
    )
    .expect("room");
    if row.helpers > 0 {
        write!(text, " | {} helpers", row.helpers).expect("room");
    }
    if let Some(trouble) = &row.trouble {
        write!(text, " | {trouble}").expect("room");
    }
    text
}

#[test]
fn recordings_are_listed_with_usage() {
    let home = Home::new();
    for (name, id) in [
        ("write_bash_bypass", "22222222-2222-4222-8222-222222222222"),
        ("hook_exit2", "9590c823-4691-457e-8869-bddda60aa481"),
        ("thinking", "33333333-3333-4333-8333-333333333333"),
        ("api_err500", "44444444-4444-4444-8444-444444444444"),
        ("write_bash_2.1.197", "55555555-5555-4555-8555-555555555555"),
        ("subagent_bg", "6c929308-df4f-4393-aede-fec368c0dfb5"),
    ] {
        home.put(
            &format!("claude/{name}.jsonl"),
            &format!(".claude/projects/-home-dev-project/{id}.jsonl"),
        );
    }
    let folder =
        ".claude/projects/-home-dev-project/6c929308-df4f-4393-aede-fec368c0dfb5/subagents";
    home.put(
        "claude/subagent_bg.subagent.jsonl",
        &format!("{folder}/agent-ad97e80625335bab8.jsonl"),
    );
    for name in [
        "write_bash_ws",
        "resume_2",
        "sig_TERM_during_bash",
        "model_gpt-5.5",
    ] {
        home.put(
            &format!("codex/{name}.jsonl"),
            &format!(".codex/sessions/2026/11/21/rollout-2026-{name}.jsonl"),
        );
    }
    for name in ["write_bash_yolo", "mode_plan", "session_id"] {
        home.put(
            &format!("gemini/{name}.jsonl"),
            &format!(".gemini/tmp/project/chats/session-2026-{name}.jsonl"),
        );
    }
    home.write(
        ".gemini/projects.json",
        r#"{"projects": {"/home/dev/project": "project"}}"#,
    );
    for name in ["write_bash", "fork", "sig_TERM_during_bash"] {
        home.put(
            &format!("pi/{name}.jsonl"),
            &format!(".pi/agent/sessions/--home-dev-project--/2026_{name}.jsonl"),
        );
    }
    let mut rows = rows(&home.library());
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    let actual: Vec<String> = rows.iter().map(describe).collect();
    insta::assert_snapshot!(actual.join("\n"));
    assert!(
        Agent::all()
            .filter(|agent| rows.iter().any(|row| row.agent == *agent))
            .count()
            >= 4
    );
}
