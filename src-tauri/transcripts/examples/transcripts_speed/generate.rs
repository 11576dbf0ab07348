//! Generates claude and codex histories: two thirds from claude, sessions of very different
//! lengths, tools that print code, logs and occasionally very much.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

/// The searched texts: rare, common, several words, a phrase, a prefix.
pub(crate) const QUERIES: [&str; 6] = [
    "kesudo",
    "error",
    "bale mifo",
    "\"ra ku\"",
    "zog*",
    "nothinglikeit",
];

const MODELS: [&str; 3] = [
    "claude-sonnet-4-5-20250929",
    "claude-opus-4-1-20250805",
    "claude-haiku-4-5-20251001",
];

/// Xorshift: the same seed generates the same histories.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Words of two to four syllables, mostly short ones.
    fn words(&mut self, count: u64) -> String {
        const SYLLABLES: [&str; 24] = [
            "ba", "le", "mi", "fo", "ku", "ra", "se", "ti", "no", "du", "ke", "su", "do", "pa",
            "ri", "vo", "ze", "lo", "ne", "ga", "hi", "wo", "ya", "xu",
        ];
        let mut text = String::new();
        for _ in 0..count {
            for _ in 0..1 + self.below(4).min(self.below(4)) {
                text.push_str(SYLLABLES[usize::try_from(self.below(24)).unwrap_or(0)]);
            }
            text.push(if self.below(12) == 0 { '\n' } else { ' ' });
        }
        text
    }

    /// A tool's output: usually little, sometimes a long file. Claude truncates command output at
    /// 30,000 characters.
    fn output(&mut self) -> String {
        let lines = match self.below(40) {
            0 => 200 + self.below(400),
            1..=6 => 40 + self.below(100),
            _ => 1 + self.below(20),
        };
        let line = |number| {
            let words = 3 + self.below(6);
            format!(
                "{number:>5}\tlet {} = \"{}\";\n",
                self.words(1).trim(),
                self.words(words).trim()
            )
        };
        (0..lines).map(line).collect()
    }

    fn id(&mut self) -> String {
        let (a, b) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
            a >> 32,
            a >> 16 & 0xffff,
            a & 0xfff,
            b >> 52,
            b & 0xffff_ffff_ffff
        )
    }
}

/// A further record of a session, newer than all others.
pub(crate) fn one_more(number: usize) -> String {
    let record = json!({
        "type": "user", "timestamp": format!("2027-01-01T00:00:{number:02}.000Z"), "cwd": "/home/dev/grown",
        "message": {"role": "user", "content": "one more"}, "uuid": number, "version": "2.1.329",
    });
    format!("{record}\n")
}

/// Writes histories of `megabytes` MB below `home`.
pub(crate) fn histories(home: &Path, megabytes: u64, seed: u64) -> io::Result<()> {
    let mut chance = Chance(seed | 1);
    let (mut written, mut clock) = (0, 1_735_700_000_000_i64);
    while written < megabytes << 20 {
        let turns = match chance.below(10) {
            0 => 300 + chance.below(500),
            1..=4 => 40 + chance.below(100),
            _ => 3 + chance.below(20),
        };
        clock += 600_000;
        written += if chance.below(3) < 2 {
            claude(home, &mut chance, clock, turns)?
        } else {
            codex(home, &mut chance, clock, turns)?
        };
    }
    Ok(())
}

fn time(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms)
        .map(|time| format!("{time:.3}"))
        .unwrap_or_default()
}

fn create(path: &Path) -> io::Result<BufWriter<File>> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    Ok(BufWriter::new(File::create(path)?))
}

fn write(out: &mut impl Write, record: &str) -> io::Result<u64> {
    out.write_all(record.as_bytes())?;
    out.write_all(b"\n")?;
    Ok(record.len() as u64 + 1)
}

/// An object with its keys in the order that the agents use.
fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|(key, value)| format!("\"{key}\":{value}"))
        .collect();
    format!("{{{}}}", fields.join(","))
}

fn text(text: &str) -> String {
    Value::from(text).to_string()
}

fn claude(home: &Path, chance: &mut Chance, start: i64, turns: u64) -> io::Result<u64> {
    let (session, project) = (chance.id(), chance.below(40));
    let path = home.join(format!(
        ".claude/projects/-home-dev-project{project}/{session}.jsonl"
    ));
    let mut out = create(&path)?;
    let (mut written, mut now) = (0, start);
    let mut parent = "null".to_owned();
    for turn in 0..turns {
        let model = MODELS[usize::try_from(chance.below(3)).unwrap_or(0)];
        let mut record =
            |chance: &mut Chance, kind: &str, message: String, more: Vec<(&str, String)>| {
                now += 1_500;
                let uuid = text(&chance.id());
                let mut fields = vec![
                    ("parentUuid", std::mem::replace(&mut parent, uuid.clone())),
                    ("isSidechain", "false".to_owned()),
                    ("userType", text("external")),
                    ("cwd", text(&format!("/home/dev/project{project}"))),
                    ("sessionId", text(&session)),
                    ("version", text("2.1.197")),
                    ("gitBranch", text("main")),
                    ("type", text(kind)),
                    ("message", message),
                    ("uuid", uuid),
                    ("timestamp", text(&time(now))),
                ];
                fields.extend(more);
                object(&fields)
            };
        if turn % 6 == 0 {
            let prompt = object(&[("role", text("user")), ("content", text(&chance.words(30)))]);
            written += write(&mut out, &record(chance, "user", prompt, Vec::new()))?;
        }
        let (message, call) = (
            format!("msg_{:x}", chance.next()),
            format!("toolu_{:x}", chance.next()),
        );
        let usage = json!({
            "input_tokens": chance.below(3_000), "cache_creation_input_tokens": chance.below(9_000),
            "cache_read_input_tokens": chance.below(90_000), "output_tokens": chance.below(2_000), "service_tier": "standard",
        });
        let input = json!({"command": chance.words(8), "description": chance.words(4)}).to_string();
        for block in [
            object(&[("type", text("text")), ("text", text(&chance.words(60)))]),
            object(&[
                ("type", text("tool_use")),
                ("id", text(&call)),
                ("name", text("Bash")),
                ("input", input),
            ]),
        ] {
            let said = object(&[
                ("id", text(&message)),
                ("type", text("message")),
                ("role", text("assistant")),
                ("model", text(model)),
                ("content", format!("[{block}]")),
                ("stop_reason", "null".to_owned()),
                ("usage", usage.to_string()),
            ]);
            let more = vec![("requestId", text(&format!("req_{call}")))];
            written += write(&mut out, &record(chance, "assistant", said, more))?;
        }
        let output = chance.output();
        let block = object(&[
            ("tool_use_id", text(&call)),
            ("type", text("tool_result")),
            ("content", text(&output)),
            ("is_error", "false".to_owned()),
        ]);
        let answer = object(&[("role", text("user")), ("content", format!("[{block}]"))]);
        let detail =
            json!({"stdout": output, "stderr": "", "interrupted": false, "isImage": false});
        written += write(
            &mut out,
            &record(
                chance,
                "user",
                answer,
                vec![("toolUseResult", detail.to_string())],
            ),
        )?;
    }
    out.flush()?;
    Ok(written)
}

fn codex(home: &Path, chance: &mut Chance, start: i64, turns: u64) -> io::Result<u64> {
    let session = chance.id();
    let path = home.join(format!(
        ".codex/sessions/2025/01/{:02}/rollout-{start}-{session}.jsonl",
        1 + chance.below(28)
    ));
    let mut out = create(&path)?;
    let (mut written, mut now) = (0, start);
    let (mut input, mut output_tokens) = (0, 0);
    let mut line = |kind: &str, payload: Value| {
        now += 700;
        let payload = match (payload.get("type"), payload.get("output")) {
            (Some(inner), Some(output)) => object(&[
                ("type", inner.to_string()),
                ("call_id", payload["call_id"].to_string()),
                ("output", output.to_string()),
            ]),
            _ => payload.to_string(),
        };
        write(
            &mut out,
            &object(&[
                ("timestamp", text(&time(now))),
                ("type", text(kind)),
                ("payload", payload),
            ]),
        )
    };
    written += line(
        "session_meta",
        json!({
            "id": session, "timestamp": time(start), "cwd": format!("/home/dev/project{}", chance.below(40)), "cli_version": "0.98.0",
            "originator": "codex_cli_rs", "instructions": chance.words(400), "git": {"branch": "main"},
        }),
    )?;
    for turn in 0..turns {
        if turn % 6 == 0 {
            written += line(
                "turn_context",
                json!({"cwd": "/home/dev/project", "model": "gpt-5-codex", "approval_policy": "never"}),
            )?;
            let prompt = chance.words(30);
            written += line(
                "response_item",
                json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": prompt}]}),
            )?;
            written += line(
                "event_msg",
                json!({"type": "user_message", "message": prompt}),
            )?;
        }
        let text = chance.words(50);
        written += line(
            "event_msg",
            json!({"type": "agent_message", "message": text}),
        )?;
        written += line(
            "response_item",
            json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}),
        )?;
        let call = format!("call_{:x}", chance.next());
        let arguments = json!({"command": ["bash", "-lc", chance.words(8)]}).to_string();
        written += line(
            "response_item",
            json!({"type": "function_call", "name": "shell", "arguments": arguments, "call_id": call}),
        )?;
        let answer =
            json!({"output": chance.output(), "metadata": {"exit_code": 0, "duration_seconds": 0.1}}).to_string();
        written += line(
            "response_item",
            json!({"type": "function_call_output", "call_id": call, "output": answer}),
        )?;
        input += chance.below(20_000);
        output_tokens += chance.below(2_000);
        let total = json!({
            "input_tokens": input, "cached_input_tokens": input / 2, "output_tokens": output_tokens,
            "reasoning_output_tokens": 0, "total_tokens": input + output_tokens,
        });
        written += line(
            "event_msg",
            json!({"type": "token_count", "info": {"total_token_usage": total, "last_token_usage": total}}),
        )?;
    }
    out.flush()?;
    Ok(written)
}
