//! Measures how fast a log is indexed and a page is read: `cargo run --release -p baton-agents
//! --example timeline_speed [LOG]`.
//!
//! Without a file it uses 100 MB of generated claude messages and 100 MB of plain lines.

use std::io::{self, Write};
use std::time::Instant;

use baton_agents::timeline::ReadAt;
use baton_agents::{LogFormat, Stream, TimelineIndex};

struct Log(Vec<u8>);

impl ReadAt for Log {
    fn read_at(&mut self, _: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self
            .0
            .get(usize::try_from(offset).map_err(io::Error::other)?..)
            .unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

fn main() -> io::Result<()> {
    if let Some(path) = std::env::args().nth(1) {
        return measure(
            &path,
            baton_agents::claude::STREAM_FORMAT,
            std::fs::read(&path)?,
        );
    }
    for (name, output) in [
        ("calls with 2 KB results", 2_000),
        ("calls with 100 KB results", 100_000),
    ] {
        measure(name, baton_agents::claude::STREAM_FORMAT, session(output))?;
    }
    measure(
        "plain lines of 40 bytes",
        LogFormat::PLAIN,
        b"an ordinary line of a build, 40 bytes..\n".repeat(2_500_000),
    )
}

fn measure(name: &str, format: LogFormat, bytes: Vec<u8>) -> io::Result<()> {
    let mut log = Log(bytes);
    let mut index = TimelineIndex::new(format);
    let start = Instant::now();
    for (number, chunk) in log.0.chunks(1 << 20).enumerate() {
        index
            .feed(Stream::Stdout, (number << 20) as u64, chunk)
            .map_err(io::Error::other)?;
    }
    index.finish();
    let indexing = start.elapsed();
    let start = Instant::now();
    let middle = index.len() / 2;
    let page = index.page(middle..middle + 200, &mut log)?.len();
    let (megabytes, seconds) = (log.0.len() as f64 / 1e6, indexing.as_secs_f64());
    writeln!(
        io::stdout(),
        "{name}: {} entries from {megabytes:.0} MB in {seconds:.3} s ({:.0} MB/s); a page of {page} in {:.1} ms",
        index.len(),
        megabytes / seconds,
        start.elapsed().as_secs_f64() * 1e3
    )
}

/// 100 MB of tool calls with `output` bytes of output each, in claude's format.
fn session(output: usize) -> Vec<u8> {
    let text = r#"    Compiling a crate with \u001b[32mcolours\u001b[0m and \"quotes\"\n"#
        .repeat(output / 64);
    let mut log = Vec::new();
    for number in 0.. {
        let call = format!(
            r#"{{"type":"assistant","message":{{"id":"msg_{number}","role":"assistant","content":[{{"type":"tool_use","id":"toolu_{number}","name":"Bash","input":{{"command":"cargo build","description":"Build"}}}}],"usage":{{"input_tokens":1200,"output_tokens":1}}}},"parent_tool_use_id":null,"session_id":"3365c176-5b6a-420c-8d5a-fb36482a0568","timestamp":"2026-11-21T07:11:10.284Z"}}"#
        );
        let result = format!(
            r#"{{"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"toolu_{number}","type":"tool_result","content":"{text}","is_error":false}}]}},"parent_tool_use_id":null,"timestamp":"2026-11-21T07:11:11.284Z","tool_use_result":{{"stdout":"{text}","stderr":"","interrupted":false}},"tool_result_meta":[{{"id":"toolu_{number}","permission_decision":{{"decision":"accept","source":"config"}}}}]}}"#
        );
        log.extend_from_slice(format!("{call}\n{result}\n").as_bytes());
        if log.len() > 100_000_000 {
            break;
        }
    }
    log
}
