//! Edits, lists and images of timeline entries, as the agents' protocols report them.

use std::io;

use baton_agents::timeline::{ReadAt, TimelineKind};
use baton_agents::{LogFormat, Stream, TimelineEntry, TimelineIndex};
use serde_json::{Value, json};

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

struct Log(Vec<u8>);

impl ReadAt for Log {
    fn read_at(&mut self, _: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let start = usize::try_from(offset).map_err(io::Error::other)?;
        let rest = self.0.get(start..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

/// The entries as in a page, and each read alone.
fn entries(format: LogFormat, lines: &[Value]) -> Vec<(TimelineEntry, TimelineEntry)> {
    let log: Vec<u8> = lines
        .iter()
        .flat_map(|line| format!("{line}\n").into_bytes())
        .collect();
    let mut index = TimelineIndex::new(format);
    index.feed(Stream::Stdout, 0, &log).expect("no gap");
    index.finish();
    let mut log = Log(log);
    let page = index.page(0..u64::MAX, &mut log).expect("readable");
    page.into_iter()
        .map(|entry| {
            let full = index.entry_full(entry.seq, &mut log).expect("readable");
            (entry, full.expect("exists"))
        })
        .collect()
}

/// What the entry shows beside its texts.
fn details(kind: &TimelineKind) -> Vec<String> {
    match kind {
        TimelineKind::ToolCall {
            edits,
            todos,
            result,
            ..
        } => {
            let edits = edits.iter().map(|edit| {
                let hunks: Vec<_> = edit
                    .hunks
                    .iter()
                    .map(|hunk| format!("{}:{}", hunk.old_start, hunk.lines.join("|")))
                    .collect();
                format!("{:?} {} {}", edit.kind, edit.path, hunks.join(" "))
            });
            let images = result.iter().flat_map(|result| &result.images);
            edits
                .chain(todos.iter().map(|item| item.to_line()))
                .chain(images.map(|image| image.to_line()))
                .collect()
        }
        TimelineKind::TodoList { items } => items.iter().map(|item| item.to_line()).collect(),
        TimelineKind::Image { image } => vec![image.to_line()],
        _ => Vec::new(),
    }
}

fn claude_call(name: &str, input: &Value, result: &Value) -> [Value; 2] {
    [
        json!({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": name, "input": input}]}}),
        json!({"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": result}]}}),
    ]
}

fn acp_update(update: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}})
}

#[test]
fn details_of_every_agent_are_shown() {
    let claude = baton_agents::claude::STREAM_FORMAT;
    let todos = json!({"todos": [{"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress"}]});
    let image = "Image: image/png, 70 bytes";
    let edit = json!({"file_path": "/a", "old_string": "x", "new_string": "y"});
    let acp = baton_agents::acp::LOG_FORMAT;
    for (format, lines, expected) in [
        (
            claude,
            claude_call("Edit", &edit, &json!("ok")).to_vec(),
            vec!["Changed /a 0:-x|+y"],
        ),
        (
            claude,
            claude_call("TodoWrite", &todos, &json!("ok")).to_vec(),
            vec!["[x] a", "[>] b"],
        ),
        (
            claude,
            claude_call("Read", &json!({"file_path": "/a.png"}), &json!([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}])).to_vec(),
            vec![image],
        ),
        (
            claude,
            vec![json!({"type": "user", "isReplay": true, "message": {"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}]}})],
            vec![image],
        ),
        (
            baton_agents::codex::APP_SERVER_FORMAT,
            vec![json!({"method": "turn/plan/updated", "params": {"threadId": "t", "turnId": "u", "plan": [{"step": "a", "status": "inProgress"}]}})],
            vec!["[>] a"],
        ),
        (
            baton_agents::codex::APP_SERVER_FORMAT,
            vec![
                json!({"method": "item/started", "params": {"item": {"type": "imageView", "id": "1", "path": "/tmp/a.png"}}}),
                json!({"method": "item/completed", "params": {"item": {"type": "imageView", "id": "1", "path": "/tmp/a.png"}}}),
            ],
            vec!["Image: image, /tmp/a.png"],
        ),
        (
            baton_agents::codex::APP_SERVER_FORMAT,
            ["item/started", "item/completed"]
                .map(|method| json!({"method": method, "params": {"item": {"type": "fileChange", "id": "1", "status": "completed", "changes": [
                    {"path": "/a", "kind": {"type": "add"}, "diff": "x\n"},
                    {"path": "/b", "kind": {"type": "update"}, "diff": "@@ -7 +7 @@\n-x\n+y\n"},
                ]}}}))
                .to_vec(),
            vec!["Created /a 0:+x", "Changed /b 7:-x|+y"],
        ),
        (
            baton_agents::opencode::STREAM_FORMAT,
            vec![json!({"type": "tool_use", "part": {"type": "tool", "tool": "edit", "callID": "1", "state": {"status": "completed", "input": {"filePath": "/a", "oldString": "x", "newString": "y"}, "output": "", "metadata": {"diff": "--- a\n+++ b\n@@ -4,2 +4,2 @@\n x\n-x\n+y\n"}, "attachments": [{"type": "file", "mime": "image/png", "url": format!("data:image/png;base64,{PNG}")}]}}})],
            vec!["Changed /a 4: x|-x|+y", image],
        ),
        (
            baton_agents::gemini::STREAM_FORMAT,
            vec![json!({"type": "tool_use", "tool_id": "1", "tool_name": "write_file", "parameters": {"file_path": "a", "content": "x"}})],
            vec!["Written a 0:+x"],
        ),
        (
            acp,
            vec![acp_update(&json!({"sessionUpdate": "plan", "entries": [{"content": "a", "status": "completed", "priority": "high"}]}))],
            vec!["[x] a"],
        ),
        (
            acp,
            vec![acp_update(&json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "image", "mimeType": "image/png", "data": PNG}}))],
            vec![image],
        ),
        (
            acp,
            vec![acp_update(&json!({"sessionUpdate": "tool_call", "toolCallId": "1", "title": "Edit", "kind": "edit", "status": "completed", "content": [
                {"type": "diff", "path": "/a", "oldText": null, "newText": "x\n"},
                {"type": "diff", "path": "/b", "oldText": "x\n", "newText": "y\n"},
                {"type": "content", "content": {"type": "image", "mimeType": "image/png", "data": PNG}},
            ]}))],
            vec!["Created /a 0:+x", "Changed /b 1:-x|+y", image],
        ),
    ] {
        let actual: Vec<_> = entries(format, &lines)
            .iter()
            .flat_map(|(entry, _)| details(&entry.kind))
            .collect();
        assert_eq!(actual, expected, "{lines:?}");
    }
}

#[test]
fn only_a_full_entry_has_the_data_of_images() {
    let result = json!([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}]);
    let lines = claude_call("Read", &json!({"file_path": "/a.png"}), &result);
    let entries = entries(baton_agents::claude::STREAM_FORMAT, &lines);
    let data = |entry: &TimelineEntry| match &entry.kind {
        TimelineKind::ToolCall {
            result: Some(result),
            ..
        } => result.images[0].data.clone(),
        other => panic!("a finished call: {other:?}"),
    };
    assert_eq!(data(&entries[0].0), None);
    assert_eq!(data(&entries[0].1).as_deref(), Some(PNG));
}
