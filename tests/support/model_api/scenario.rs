//! The scripts: the model's answer for each scenario and step.

use serde_json::Value;

use super::conversation::Conversation;
use super::reply::{Block, Message, Refusal, Stop};

/// All scenarios, in the order of [`answer`].
pub(super) const NAMES: &[&str] = &[
    "text",
    "write_bash",
    "bash",
    "parallel",
    "thinking",
    "loop",
    "slow",
    "hang",
    "bgbash",
    "bash_fail",
    "refusal",
    "maxtok",
    "err400",
    "err401",
    "err429",
    "err500",
    "err529",
    "err529_once",
    "limit",
    "ratelimit_warn",
    "env",
    "cat",
    "write_twice",
    "git_status",
    "helper",
    "handoff_missing",
    "handoff_fails",
    "lie_unasked",
    "decide",
    "undecided",
    "err529_first_client",
    "limit_until_resumed",
    "write_secret",
    "write_secrets",
    "plan",
    "plan_repaired",
    "plan_never",
    "commit",
    "guards",
    "calls",
];

/// The server's reaction to a request.
pub(super) enum Answer {
    Message(Message),
    Refused(Refusal),
    /// The stream starts, but never continues.
    Silence,
}

const HANDOFF_REPLY: &str = "Sure, here is the handoff.\n\n**What was done:**\nThe scripted work was done.\n\n\
    **Files changed:**\n- `hello.txt`\n\n**Decisions:**\nNone.";

/// A plan surrounded by prose, with HTML that a careless interface would render.
const PLAN: &str = r#"Here is the plan:

```json
{"title": "<b>Greet</b> & go", "reasoning": "Two files, <script>alert(1)</script>.", "nodes": [
  {"id": "one", "title": "<img src=x onerror=alert(1)>", "prompt": "Write {\"a\": 1} into one.txt.", "acceptanceCriteria": ["one.txt exists"]},
  {"id": "two", "title": "Two", "kind": "command", "command": "true"},
  {"id": "both", "title": "Check both", "kind": "command", "command": "ls", "dependsOn": ["one", "two"]}
]}
```

Tell me if {anything} is missing."#;

/// A plan with a cycle.
const CYCLIC_PLAN: &str = r#"{"title": "Circle", "nodes": [
  {"id": "a", "title": "First", "prompt": "x", "dependsOn": ["b"]},
  {"id": "b", "title": "Second", "prompt": "y", "dependsOn": ["a"]}
]}"#;

fn is_planning_request(at: &Conversation) -> bool {
    at.prompt.contains("Answer with a single JSON object")
}

/// Returns the answer of `scenario` at this point of the conversation. `clients` is the number of
/// clients so far.
pub(super) fn answer(scenario: &str, at: &Conversation, is_retry: bool, clients: usize) -> Answer {
    // Prompts quote the handoffs of earlier nodes, so that this text only counts after the first
    // turn.
    if at.turn > 1 && at.prompt.contains("**What was done:**") {
        match scenario {
            "handoff_missing" | "lie_unasked" => {}
            "handoff_fails" => return Answer::Refused(Refusal::BadRequest),
            _ => return reply_with_text(HANDOFF_REPLY),
        }
    }
    if at.prompt.contains("one line for each criterion") {
        return reply_with_text("1: met - hello.txt is there.\n2: not met - nothing tests it.");
    }
    if at.prompt.contains("<task-notification>") {
        return reply_with_text("The background command has ended.");
    }
    let cwd = &at.cwd;
    match (scenario, at.step) {
        ("text" | "handoff_missing", _) => reply_with_text("Hello from the scripted model."),
        ("handoff_fails", 0) => bash("echo hello > hello.txt"),
        ("handoff_fails", _) => reply_with_text("I wrote `hello.txt` with one line."),
        ("lie_unasked", _) => reply_with_text("All done. I created `ghost.txt` and ran it."),
        ("write_bash", 0) => reply_with_blocks(vec![
            Block::text("I write the file first."),
            Block::Write {
                path: format!("{cwd}/hello.txt"),
                content: "hello from the scripted model\n".to_owned(),
            },
        ]),
        ("write_bash", 1) => bash("cat hello.txt && touch checked.txt"),
        ("write_bash", _) => reply_with_text("Done: wrote hello.txt and checked it."),
        ("bash", 0) => bash(
            "python3 -c 'import time; time.sleep(300)' & echo child=$!; python3 -c 'import time; time.sleep(301)'",
        ),
        ("bash", _) => reply_with_text("The long command ended."),
        ("cat", 0) => bash("cat hello.txt"),
        ("cat", _) => reply_with_text("I have read it."),
        ("write_twice", step @ 0..2) => {
            let path = format!("{cwd}/{}.txt", ["one", "two"][step]);
            reply_with_blocks(vec![Block::Write {
                path,
                content: "written\n".to_owned(),
            }])
        }
        ("write_twice", _) => reply_with_text("Both are written."),
        ("git_status", 0) => bash("git status"),
        ("git_status", 1) => bash("git status --short > /dev/null 2>&1 && git status --branch"),
        ("git_status", 2) => bash("git status; touch more.txt"),
        ("git_status", _) => reply_with_text("I have looked."),
        // The subagent's conversation starts with its prompt.
        ("helper", 0) if at.prompt.contains("Look at the greeting") => bash("touch helped.txt"),
        ("helper", _) if at.prompt.contains("Look at the greeting") => {
            reply_with_text("The helper is done.")
        }
        ("helper", 0) => reply_with_blocks(vec![Block::Helper {
            prompt: "Look at the greeting.".to_owned(),
        }]),
        ("helper", _) => reply_with_text("All help is in."),
        ("env", 0) => bash("env | sort > env.txt"),
        ("env", _) => reply_with_text("The environment is in env.txt."),
        ("commit", 0) => reply_with_blocks(vec![Block::Write {
            path: format!("{cwd}/hello.txt"),
            content: "hello from the scripted model\n".to_owned(),
        }]),
        ("commit", 1) => {
            bash("git add hello.txt && git -c user.name=A -c user.email=a@b commit -qm work")
        }
        ("commit", _) => reply_with_text("It is committed."),
        ("guards", step) => match (step, marked(&at.prompt)) {
            (0, Some(mark)) => reply_with_blocks(vec![Block::Write {
                path: format!("{cwd}/{mark}.written"),
                content: "x\n".to_owned(),
            }]),
            (1, Some(mark)) => bash(&format!("touch {mark}.ran")),
            _ => reply_with_text("That was all."),
        },
        ("calls", step) => match scripted_calls(&at.prompt).into_iter().nth(step) {
            Some(call) => reply_with_blocks(vec![call]),
            None => reply_with_text("All calls were made."),
        },
        ("write_secret", 0) => reply_with_blocks(vec![
            Block::text("The key sk-ant-fake goes into a file."),
            Block::Write {
                path: format!("{cwd}/.env"),
                content: "KEY=sk-ant-fake\n".to_owned(),
            },
        ]),
        ("write_secrets", 0) => bash("echo postgres > k.txt"),
        ("write_secrets", 1) => reply_with_blocks(vec![Block::Write {
            path: format!("{cwd}/token.txt"),
            content: "ghp_0123456789abcdefghijABCDEFGHIJ456789\n".to_owned(),
        }]),
        ("write_secrets", _) => reply_with_text("Both are kept."),
        ("write_secret", _) => reply_with_text("The key is in its file."),
        ("parallel", 0) => reply_with_blocks(vec![
            Block::bash("touch one.txt"),
            Block::bash("touch two.txt"),
        ]),
        ("parallel", _) => reply_with_text("Both ran."),
        ("decide", _) if at.prompt.starts_with("Answer with only your choice") => {
            reply_with_text("**Ship**")
        }
        ("undecided", _) if at.prompt.starts_with("Answer with only your choice") => {
            reply_with_text("Perhaps later.")
        }
        ("decide" | "undecided", _) => {
            reply_with_text("I looked at what there is. One could hold back.")
        }
        ("plan", _) if is_planning_request(at) => reply_with_text(PLAN),
        ("plan", _) if at.prompt.starts_with("Give the explanation now") => {
            reply_with_text("It digs, then plants. <script>alert(1)</script>")
        }
        // The first repair request is the third message.
        ("plan_repaired", _) if is_planning_request(at) && at.turn > 2 => reply_with_text(PLAN),
        ("plan_repaired" | "plan_never", _) if is_planning_request(at) => {
            reply_with_text(CYCLIC_PLAN)
        }
        ("plan" | "plan_repaired" | "plan_never", _) => {
            reply_with_text("I looked at the directory and thought it through.")
        }
        ("err529_first_client", _) if clients > 1 => {
            reply_with_text("Served after another was turned away.")
        }
        ("limit_until_resumed", _)
            if at.prompt.contains("Your work on this step was interrupted") =>
        {
            reply_with_text("The limit was lifted.")
        }
        ("thinking", _) => reply_with_blocks(vec![
            Block::Thinking("A greeting is wanted.".to_owned()),
            Block::text("Hello."),
        ]),
        ("loop", n) => bash(&format!("echo round {n} >> rounds.txt")),
        ("slow", _) => Answer::Message(Message {
            pause_ms: 200,
            ..Message::of(vec![Block::text(&"word by word ".repeat(10))])
        }),
        ("hang", _) => Answer::Silence,
        ("bgbash", 0) => reply_with_blocks(vec![Block::Bash {
            command: "until [ -e go ]; do sleep 0.1; done; touch late.txt".to_owned(),
            in_background: true,
        }]),
        ("bgbash", _) => reply_with_text("It runs in the background."),
        ("bash_fail", 0) => bash("touch x && echo oops >&2; exit 3"),
        ("bash_fail", _) => reply_with_text("The command failed with exit code 3."),
        ("refusal", _) => Answer::Message(Message {
            stop: Stop::Refusal,
            ..Message::of(vec![Block::text("I cannot")])
        }),
        ("maxtok", _) => Answer::Message(Message {
            stop: Stop::OutOfTokens,
            ..Message::of(vec![Block::text("and so on and")])
        }),
        ("err529_once", _) if is_retry => reply_with_text("Recovered after one overload."),
        ("ratelimit_warn", _) => Answer::Message(Message {
            near_limit: true,
            ..Message::of(vec![Block::text("Close to the limit.")])
        }),
        (scenario, _) => reply_with_refusal(scenario),
    }
}

/// Returns the word after `MARK=` in a prompt, which identifies one of several nodes in a
/// directory.
fn marked(prompt: &str) -> Option<&str> {
    let after = prompt.split_once("MARK=")?.1;
    after
        .split(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .filter(|mark| !mark.is_empty())
}

/// Returns the calls of MCP tools in a prompt: after `CALLS=`, a JSON list of objects with `tool`
/// and `arguments`.
fn scripted_calls(prompt: &str) -> Vec<Block> {
    let after = prompt.split_once("CALLS=").map_or("", |(_, after)| after);
    let mut values = serde_json::Deserializer::from_str(after).into_iter::<Vec<Value>>();
    let calls = values.next().and_then(Result::ok).unwrap_or_default();
    let call = |call: Value| Block::Tool {
        name: call["tool"].as_str().unwrap_or_default().to_owned(),
        arguments: call["arguments"].clone(),
    };
    calls.into_iter().map(call).collect()
}

fn reply_with_refusal(scenario: &str) -> Answer {
    Answer::Refused(match scenario {
        "err400" => Refusal::BadRequest,
        "err401" => Refusal::Login,
        "err429" => Refusal::TooMany,
        "err500" => Refusal::Broken,
        "err529" | "err529_once" | "err529_first_client" => Refusal::Overloaded,
        "limit" | "limit_until_resumed" => Refusal::UsageLimit,
        _ => Refusal::NoScenario,
    })
}

fn reply_with_text(text: &str) -> Answer {
    reply_with_blocks(vec![Block::text(text)])
}

fn bash(command: &str) -> Answer {
    reply_with_blocks(vec![Block::bash(command)])
}

fn reply_with_blocks(blocks: Vec<Block>) -> Answer {
    Answer::Message(Message::of(blocks))
}
