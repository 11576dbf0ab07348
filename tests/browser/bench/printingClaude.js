#!/usr/bin/env node
/**
 * Prints a session like `claude --output-format stream-json`: a call, its result and a sentence, over and over.
 * The prompt sets the amount and rate, as `EVENTS at RATE a second` or `BYTES bytes`.
 */
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) {
  console.log("2.1.197 (Claude Code)");
  process.exit(0);
}

const session = process.argv[process.argv.indexOf("--session-id") + 1];
const prompts = [];

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "control_request") {
    const response = { subtype: "success", request_id: message.request_id, response: {} };
    print([{ type: "control_response", response }]);
    continue;
  }
  if (message.type !== "user") continue;
  const prompt = JSON.stringify(message.message.content);
  prompts.push(prompt);
  await (prompts.length === 1 ? work(prompt) : handOff());
}

async function work(prompt) {
  print([{ type: "system", subtype: "init", session_id: session, cwd: process.cwd(), tools: [] }]);
  const paced = /(\d+) at (\d+) a second/.exec(prompt);
  if (paced) await writeAtRate(Number(paced[1]), Number(paced[2]));
  else messagesOfSize(Number(/(\d+) bytes/.exec(prompt)?.[1] ?? 1_000_000));
  end("All is printed.");
}

/** Prints `events` at a constant rate, in batches of 10 ms. */
async function writeAtRate(events, rate) {
  const begun = performance.now();
  for (let printed = 0; printed < events; ) {
    const due = Math.min(events, Math.floor(((performance.now() - begun) / 1_000) * rate));
    const portion = [];
    for (; printed < due; printed += 1) portion.push(event(printed, 200));
    print(portion);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function messagesOfSize(bytes) {
  let left = bytes;
  for (let number = 0; left > 0; ) {
    const portion = [];
    for (let at = 0; at < 300; at += 1) portion.push(event(number + at, 3_000));
    number += portion.length;
    left -= print(portion);
  }
}

function handOff() {
  const words = "**What was done:** printed\n**Files changed:** none\n**Decisions:** none";
  print([{ type: "assistant", message: said({ type: "text", text: words }), session_id: session }]);
  end(words);
}

function end(result) {
  const usage = { input_tokens: 1_000, output_tokens: 500 };
  const message = { type: "result", subtype: "success", is_error: false, result, usage };
  print([{ ...message, num_turns: 1, total_cost_usd: 0.01, session_id: session }]);
}

/** Alternates between a call, its result, and a sentence of about `length` characters. */
function event(number, length) {
  const common = { session_id: session, parent_tool_use_id: null, uuid: randomUUID() };
  const id = `toolu_${Math.floor(number / 3)}`;
  const text = `Line ${number} of what a tool or an agent says.\n`.repeat(Math.ceil(length / 44));
  switch (number % 3) {
    case 0: {
      const input = { command: `make part-${number}`, description: "Build" };
      return {
        type: "assistant",
        message: said({ type: "tool_use", id, name: "Bash", input }),
        ...common,
      };
    }
    case 1: {
      const content = [
        { type: "tool_result", tool_use_id: id, content: text, is_error: number % 99 === 1 },
      ];
      return { type: "user", message: { role: "user", content }, ...common };
    }
    default:
      return { type: "assistant", message: said({ type: "text", text }), ...common };
  }
}

function said(block) {
  return { id: `msg_${randomUUID()}`, role: "assistant", content: [block] };
}

/** Writes everything, even to a slow reader. Returns the number of bytes. */
function print(messages) {
  const bytes = Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
  return bytes.length;
}
