#!/usr/bin/env node
/**
 * A fake `claude` for tests that need both a node's session and the agent's own record: prints one sentence in the
 * format of `--output-format stream-json`, and writes a transcript like the real one (2.1.329). Asked for a greeting, it
 * writes one to a file.
 */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) {
  console.log("2.1.329 (Claude Code)");
  process.exit(0);
}

const sessionId = process.argv[process.argv.indexOf("--session-id") + 1];
const cwd = process.cwd();
const folder = path.join(process.env.HOME, ".claude/projects", cwd.replaceAll("/", "-"));
mkdirSync(folder, { recursive: true });

/** Its answer to a planner's prompt. */
const planned = {
  title: "Light the harbour",
  reasoning: "The lamps stand far from each other, so each is lit by a node of its own.",
  nodes: [
    { id: "east", title: "Light the lamp in the east", prompt: "Light it." },
    { id: "west", title: "Light the lamp in the west", kind: "command", command: "true" },
    {
      id: "look",
      title: "Look at both",
      kind: "command",
      command: "ls",
      dependsOn: ["east", "west"],
    },
  ],
};

const greeting = `Good morning!\n${"A line that is longer than a small window, ".repeat(6)}\n`;

let answers = 0;

print({ type: "system", subtype: "init", session_id: sessionId, cwd, tools: [] });
for await (const line of createInterface({ input: process.stdin })) {
  const input = JSON.parse(line);
  if (input.type === "control_request") {
    const response = { subtype: "success", request_id: input.request_id, response: {} };
    print({ type: "control_response", response });
  }
  if (input.type === "user") answer(input.message);
}

function answer(message) {
  answers += 1;
  if (JSON.stringify(message).includes("Write a greeting.")) writeFileSync("hello.txt", greeting);
  const isPlanner = JSON.stringify(message).includes("Answer with a single JSON object");
  const text = isPlanner ? JSON.stringify(planned) : "The lantern is lit.";
  const said = { id: `msg_${answers}`, role: "assistant", content: [{ type: "text", text }] };
  keep({ type: "user", message });
  keep({ type: "assistant", message: { ...said, model: "claude-opus-5-5" } });
  print({ type: "assistant", message: said, session_id: sessionId });
  const usage = { input_tokens: 10, output_tokens: 5 };
  const ending = { subtype: "success", is_error: false, result: text, num_turns: 1, usage };
  print({ type: "result", ...ending, session_id: sessionId });
}

function keep(record) {
  const common = { sessionId, cwd, version: "2.1.329", gitBranch: "main", isSidechain: false };
  const whole = { ...record, ...common, timestamp: new Date().toISOString() };
  appendFileSync(path.join(folder, `${sessionId}.jsonl`), `${JSON.stringify(whole)}\n`);
}

function print(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
