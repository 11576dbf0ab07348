//! `masking MEGABYTES`: the cost of masking secrets in the keeper's output, for `cargo xtask bench
//! output`.
//!
//! Copies a program's output from a pipe to a file as the keeper does, in chunks of a whole pipe,
//! alternately with and without the mask. Prints `name value` lines; times are medians of five, in
//! milliseconds of this process's processor time, which hardly depends on the load of the machine.

use std::error::Error;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use baton_secrets::{Masker, Secrets};
use nix::sys::resource::{UsageWho, getrusage};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// As in the keeper: one read returns a whole pipe.
const CHUNK: usize = 64 * 1024;
const TURNS: usize = 5;

/// Lines of output: of a build, of an agent's messages, and text in which every other word begins
/// like a key.
const KINDS: [(&str, &str); 3] = [
    (
        "lines",
        "   Compiling serde_json v1.0.151 (registry+https://github.com/rust-lang/crates.io-index) in 0.23s",
    ),
    (
        "messages",
        r#"{"type":"assistant","message":{"id":"msg_01","role":"assistant","content":[{"type":"text","text":"I'll create the file first, then check it.\n"}],"usage":{"input_tokens":1200,"output_tokens":42}},"uuid":"c391da9e-cea1-43fa-9807-45993c0679f0"}"#,
    ),
    (
        "near keys",
        "task-list desk-top half_done shelf_life eyJ keys AKIA npm_run ghp_short risk-free mask- sk-style hf_none",
    ),
];

fn main() -> Outcome<()> {
    let megabytes: usize = std::env::args()
        .nth(1)
        .ok_or("usage: masking MEGABYTES")?
        .parse()?;
    let folder = tempfile::tempdir()?;
    let mut out = std::io::stdout();
    for (name, line) in KINDS {
        let (mut plain, mut masked) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            plain.push(carry(line, megabytes, folder.path(), None)?);
            masked.push(carry(line, megabytes, folder.path(), Some(secrets()))?);
        }
        let name = name.replace(' ', "_");
        writeln!(out, "{name}_plain_ms {}", median(plain))?;
        writeln!(out, "{name}_masked_ms {}", median(masked))?;
        writeln!(out, "{name}_mask_alone_ms {}", alone(line, megabytes)?)?;
    }
    Ok(())
}

/// An environment with an agent's key and a password.
fn secrets() -> Secrets {
    Secrets::from_environment([
        ("ANTHROPIC_API_KEY", "a-value-that-looks-like-nothing-known"),
        ("DB_PASSWORD", "correct horse battery staple"),
        ("HOME", "/home/dev"),
    ])
}

/// Copies this much output from a program's pipe to a file; returns the time.
fn carry(
    line: &str,
    megabytes: usize,
    folder: &std::path::Path,
    secrets: Option<Secrets>,
) -> Outcome<f64> {
    let size = (megabytes << 20).to_string();
    let script = "yes \"$0\" | head -c \"$1\"";
    let mut program = Command::new("sh")
        .args(["-c", script, line, &size])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut pipe = program.stdout.take().ok_or("no pipe")?;
    let mut file = File::create(folder.join("stdout"))?;
    let mut masker = secrets.map(Masker::new);
    let mut chunk = vec![0; CHUNK];
    let begun = busy()?;
    loop {
        let length = pipe.read(&mut chunk)?;
        match &mut masker {
            _ if length == 0 => break,
            Some(masker) => file.write_all(&masker.push(&chunk[..length]))?,
            None => file.write_all(&chunk[..length])?,
        }
    }
    if let Some(masker) = &mut masker {
        file.write_all(&masker.flush())?;
    }
    let took = (busy()? - begun).as_secs_f64() * 1e3;
    program.wait()?;
    Ok(took)
}

/// Masks the same text in memory.
fn alone(line: &str, megabytes: usize) -> Outcome<f64> {
    let text = format!("{line}\n").repeat(CHUNK / line.len());
    let mut masker = Masker::new(secrets());
    let begun = busy()?;
    let mut left = megabytes << 20;
    while left > 0 {
        masker.push(text.as_bytes());
        left = left.saturating_sub(text.len());
    }
    Ok((busy()? - begun).as_secs_f64() * 1e3)
}

/// The processor time of this process so far.
fn busy() -> Outcome<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let times = [usage.user_time(), usage.system_time()];
    let micros = times
        .iter()
        .map(|time| time.tv_sec() * 1_000_000 + time.tv_usec())
        .sum::<i64>();
    Ok(Duration::from_micros(u64::try_from(micros)?))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}
