//! Histories as claude and codex write them: two thirds of claude, sessions of very different length, tools that
//! answer with code, logs and now and then very much.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

/// What the searches look for: rare, common, several, a phrase, a beginning.
pub(crate) const QUERIES: [&str; 6] = ["kesudo", "error", "bale mifo", "\"ra ku\"", "zog*", "nothinglikeit"];

const MODELS: [&str; 3] = ["claude-sonnet-4-5-20250929", "claude-opus-4-1-20250805", "claude-haiku-4-5-20251001"];

/// Xorshift: the same seed gives the same histories.
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

    /// Words of two to four syllables, the short ones often.
    fn words(&mut self, count: u64) -> String {
        const SYLLABLES: [&str; 24] = [
            "ba", "le", "mi", "fo", "ku", "ra", "se", "ti", "no", "du", "ke", "su", "do", "pa", "ri", "vo", "ze", "lo",
            "ne", "ga", "hi", "wo", "ya", "xu",
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

    /// What a tool answers: mostly little, sometimes a long file.
    fn output(&mut self) -> String {
        let lines = match self.below(20) {
            0 => 600 + self.below(1_500),
            1..=6 => 60 + self.below(200),
            _ => 1 + self.below(20),
        };
        let mut text = String::new();
        for number in 0..lines {
            let words = 3 + self.below(6);
            text.push_str(&format!("{number:>5}\tlet {} = \"{}\";\n", self.words(1).trim(), self.words(words).trim()));
        }
        text
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

/// One more record of a session, the latest of all.
pub(crate) fn one_more(number: usize) -> String {
    let record = json!({
        "type": "user", "timestamp": format!("2027-01-01T00:00:{number:02}.000Z"), "cwd": "/home/dev/grown",
        "message": {"role": "user", "content": "one more"}, "uuid": number, "version": "2.1.329",
    });
    format!("{record}\n")
}

/// Writes histories of so many megabytes below `home`.
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
    jiff::Timestamp::from_millisecond(ms).map(|time| format!("{time:.3}")).unwrap_or_default()
}

fn create(path: &Path) -> io::Result<BufWriter<File>> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    Ok(BufWriter::new(File::create(path)?))
}

fn write(out: &mut impl Write, record: &Value) -> io::Result<u64> {
    let line = record.to_string();
    out.write_all(line.as_bytes())?;
    out.write_all(b"\n")?;
    Ok(line.len() as u64 + 1)
}

fn claude(home: &Path, chance: &mut Chance, start: i64, turns: u64) -> io::Result<u64> {
    let (session, project) = (chance.id(), chance.below(40));
    let path = home.join(format!(".claude/projects/-home-dev-project{project}/{session}.jsonl"));
    let mut out = create(&path)?;
    let (mut written, mut now) = (0, start);
    let mut parent = Value::Null;
    for turn in 0..turns {
        let model = MODELS[usize::try_from(chance.below(3)).unwrap_or(0)];
        let mut record = |chance: &mut Chance, kind: &str, message: Value, more: Value| {
            now += 1_500;
            let uuid = chance.id();
            let mut record = json!({
                "parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": format!("/home/dev/project{project}"),
                "sessionId": session, "version": "2.1.197", "gitBranch": "main", "type": kind, "message": message,
                "uuid": uuid, "timestamp": time(now),
            });
            if let (Some(record), Value::Object(more)) = (record.as_object_mut(), more) {
                record.extend(more);
            }
            parent = Value::String(uuid);
            record
        };
        if turn % 6 == 0 {
            let prompt = json!({"role": "user", "content": chance.words(30)});
            written += write(&mut out, &record(chance, "user", prompt, Value::Null))?;
        }
        let (message, call) = (format!("msg_{:x}", chance.next()), format!("toolu_{:x}", chance.next()));
        let usage = json!({
            "input_tokens": chance.below(3_000), "cache_creation_input_tokens": chance.below(9_000),
            "cache_read_input_tokens": chance.below(90_000), "output_tokens": chance.below(2_000), "service_tier": "standard",
        });
        for block in [
            json!({"type": "text", "text": chance.words(60)}),
            json!({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": chance.words(8), "description": chance.words(4)}}),
        ] {
            let said = json!({
                "id": message, "type": "message", "role": "assistant", "model": model, "content": [block],
                "stop_reason": null, "usage": usage,
            });
            let more = json!({"requestId": format!("req_{call}")});
            written += write(&mut out, &record(chance, "assistant", said, more))?;
        }
        let output = chance.output();
        let answer = json!({"role": "user", "content": [{"tool_use_id": call, "type": "tool_result", "content": output, "is_error": false}]});
        let more = json!({"toolUseResult": {"stdout": output, "stderr": "", "interrupted": false, "isImage": false}});
        written += write(&mut out, &record(chance, "user", answer, more))?;
    }
    out.flush()?;
    Ok(written)
}

fn codex(home: &Path, chance: &mut Chance, start: i64, turns: u64) -> io::Result<u64> {
    let session = chance.id();
    let path =
        home.join(format!(".codex/sessions/2025/01/{:02}/rollout-{start}-{session}.jsonl", 1 + chance.below(28)));
    let mut out = create(&path)?;
    let (mut written, mut now) = (0, start);
    let (mut input, mut output_tokens) = (0, 0);
    let mut line = |kind: &str, payload: Value| {
        now += 700;
        write(&mut out, &json!({"timestamp": time(now), "type": kind, "payload": payload}))
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
            written += line("event_msg", json!({"type": "user_message", "message": prompt}))?;
        }
        let text = chance.words(50);
        written += line("event_msg", json!({"type": "agent_message", "message": text}))?;
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
        written += line("response_item", json!({"type": "function_call_output", "call_id": call, "output": answer}))?;
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
    drop(line);
    out.flush()?;
    Ok(written)
}
