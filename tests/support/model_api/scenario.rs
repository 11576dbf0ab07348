//! The scripts: what the model says in each scenario at each step.

use serde_json::{Value, json};

use super::conversation::Conversation;
use super::reply::{Block, Message, error};

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
    "handoff_missing",
    "decide",
    "undecided",
    "err529_first_client",
    "limit_until_resumed",
    "write_secret",
];

/// What the server does with one request.
pub(super) enum Answer {
    /// The model speaks.
    Message(Message),
    /// The API refuses.
    Refused {
        /// HTTP status.
        status: u16,
        /// Extra headers.
        headers: &'static [(&'static str, &'static str)],
        /// The error object.
        body: Value,
    },
    /// The stream begins and then nothing follows.
    Silence,
}

const HANDOFF: &str = "Sure, here is the handoff.\n\n**What was done:**\nThe scripted work was done.\n\n\
    **Files changed:**\n- `hello.txt`\n\n**Decisions:**\nNone.";

const LIMIT_HEADERS: &[(&str, &str)] = &[
    ("anthropic-ratelimit-unified-status", "rejected"),
    ("anthropic-ratelimit-unified-reset", "1893456000"),
    ("anthropic-ratelimit-unified-representative-claim", "five_hour"),
    ("retry-after", "1"),
];

const WARN_HEADERS: &[(&str, &str)] = &[
    ("anthropic-ratelimit-unified-status", "allowed_warning"),
    ("anthropic-ratelimit-unified-reset", "1893456000"),
    ("anthropic-ratelimit-unified-representative-claim", "five_hour"),
    ("anthropic-ratelimit-unified-5h-utilization", "0.93"),
    ("anthropic-ratelimit-unified-5h-reset", "1893456000"),
    ("anthropic-ratelimit-unified-5h-surpassed-threshold", "0.9"),
];

/// The answer of `scenario` at this point of the conversation. `clients` have asked so far.
pub(super) fn answer(scenario: &str, at: &Conversation, is_retry: bool, clients: usize) -> Answer {
    // Prompts quote the handoffs of earlier nodes, so the question counts only after a first turn.
    if at.turn > 1 && at.prompt.contains("**What was done:**") && scenario != "handoff_missing" {
        return says(HANDOFF);
    }
    if at.prompt.contains("<task-notification>") {
        return says("The background command has ended.");
    }
    let cwd = &at.cwd;
    match (scenario, at.step) {
        ("text" | "handoff_missing", _) => says("Hello from the scripted model."),
        ("write_bash", 0) => speaks(vec![
            Block::text("I write the file first."),
            Block::tool(
                "Write",
                json!({"file_path": format!("{cwd}/hello.txt"), "content": "hello from the scripted model\n"}),
            ),
        ]),
        ("write_bash", 1) => bash("cat hello.txt && touch checked.txt"),
        ("write_bash", _) => says("Done: wrote hello.txt and checked it."),
        ("bash", 0) => {
            bash("python3 -c 'import time; time.sleep(300)' & echo child=$!; python3 -c 'import time; time.sleep(301)'")
        }
        ("bash", _) => says("The long command ended."),
        ("env", 0) => bash("env | sort > env.txt"),
        ("env", _) => says("The environment is in env.txt."),
        ("write_secret", 0) => speaks(vec![
            Block::text("The key sk-ant-fake goes into a file."),
            Block::tool("Write", json!({"file_path": format!("{cwd}/.env"), "content": "KEY=sk-ant-fake\n"})),
        ]),
        ("write_secret", _) => says("The key is in its file."),
        ("parallel", 0) => speaks(vec![
            Block::tool("Bash", json!({"command": "touch one.txt", "description": "Make one"})),
            Block::tool("Bash", json!({"command": "touch two.txt", "description": "Make two"})),
        ]),
        ("parallel", _) => says("Both ran."),
        ("decide", _) if at.prompt.starts_with("Answer with your choice alone") => says("**Ship**"),
        ("undecided", _) if at.prompt.starts_with("Answer with your choice alone") => says("Perhaps later."),
        ("decide" | "undecided", _) => says("I looked at what there is. One could hold back."),
        ("err529_first_client", _) if clients > 1 => says("Served after another was turned away."),
        ("limit_until_resumed", _) if at.prompt.contains("was broken off in the middle") => {
            says("The limit was lifted.")
        }
        ("thinking", _) => speaks(vec![Block::Thinking("A greeting is wanted.".to_owned()), Block::text("Hello.")]),
        ("loop", n) => bash(&format!("echo round {n} >> rounds.txt")),
        ("slow", _) => {
            Answer::Message(Message { pause_ms: 200, ..Message::of(vec![Block::text(&"word by word ".repeat(10))]) })
        }
        ("hang", _) => Answer::Silence,
        ("bgbash", 0) => speaks(vec![Block::tool(
            "Bash",
            json!({"command": "python3 -c 'import time; time.sleep(3)'; touch late.txt", "description": "Run late", "run_in_background": true}),
        )]),
        ("bgbash", _) => says("It runs in the background."),
        ("bash_fail", 0) => bash("touch x && echo oops >&2; exit 3"),
        ("bash_fail", _) => says("The command failed with exit code 3."),
        ("refusal", _) => {
            Answer::Message(Message { stop_reason: "refusal", ..Message::of(vec![Block::text("I cannot")]) })
        }
        ("maxtok", _) => {
            Answer::Message(Message { stop_reason: "max_tokens", ..Message::of(vec![Block::text("and so on and")]) })
        }
        ("err529_once", _) if is_retry => says("Recovered after one overload."),
        ("ratelimit_warn", _) => {
            Answer::Message(Message { headers: WARN_HEADERS, ..Message::of(vec![Block::text("Close to the limit.")]) })
        }
        (scenario, _) => refused(scenario),
    }
}

fn refused(scenario: &str) -> Answer {
    let (status, headers, kind, words): (u16, &'static [_], _, _) = match scenario {
        "err400" => (400, &[], "invalid_request_error", "the request is wrong (scripted)"),
        "err401" => (401, &[], "authentication_error", "invalid x-api-key (scripted)"),
        "err429" => (429, &[], "rate_limit_error", "rate limited (scripted)"),
        "err500" => (500, &[], "api_error", "Internal server error (scripted)"),
        "err529" | "err529_once" | "err529_first_client" => (529, &[], "overloaded_error", "Overloaded (scripted)"),
        "limit" | "limit_until_resumed" => {
            (429, LIMIT_HEADERS, "rate_limit_error", "This request would exceed your account's rate limit.")
        }
        _ => (404, &[], "not_found_error", "no such scenario"),
    };
    Answer::Refused { status, headers, body: error(kind, words) }
}

fn says(text: &str) -> Answer {
    speaks(vec![Block::text(text)])
}

fn bash(command: &str) -> Answer {
    speaks(vec![Block::tool("Bash", json!({"command": command, "description": "Run a command"}))])
}

fn speaks(blocks: Vec<Block>) -> Answer {
    Answer::Message(Message::of(blocks))
}
