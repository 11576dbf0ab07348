// @vitest-environment node
import { expect, test } from "vitest";
import type { NodeState, RunState } from "@/api/bindings";
import { type NodeAction, nodeActionRefusal } from "./nodeActions";
import { planOf, runOf } from "./planFixture";

const plan = planOf(["a"], []);
const acts: NodeAction[] = [
  "run",
  "stop",
  "retry",
  "resume",
  "skip",
  "mark_done",
  "rerun",
  "rerun_alone",
];

const states: Record<string, NodeState> = {
  pending: { state: "pending" },
  blocked: { state: "blocked", by: "a" },
  slot: { state: "waiting", for: { kind: "slot" } },
  retry: { state: "waiting", for: { kind: "retry_at", at: 0 } },
  approval: { state: "waiting", for: { kind: "approval", question: "Start it?" } },
  input: {
    state: "waiting",
    for: { kind: "input", question: "?", inputType: "confirm", options: [], due: null },
  },
  person: { state: "waiting", for: { kind: "person", question: "?", request: "r", call: null } },
  running: { state: "running" },
  done: { state: "done", byHand: false },
  failed: { state: "failed", failure: { reason: "exit_code", code: 1 } },
  interrupted: { state: "interrupted", detail: "" },
  skipped: { state: "skipped", reason: { kind: "by_hand" } },
};

function allowed(state: NodeState, runState: RunState = { state: "running", ending: null }) {
  const run = runOf(plan, { a: state }, { state: runState });
  const [node] = plan.nodes;
  if (!node) throw new Error("the fixture has a node");
  const facts = { node, review: "approved" as const, run, nodeRun: run.nodes[0] };
  return acts.filter((act) => nodeActionRefusal(act, facts) === undefined).join(" ");
}

/** The actions that the run's own rules allow, by node state; all others must be refused. */
test("available actions in a running run", () => {
  const table = Object.entries(states).map(([name, state]) => `${name}: ${allowed(state)}`);
  expect(table).toEqual([
    "pending: run skip mark_done",
    "blocked: run skip mark_done rerun rerun_alone",
    "slot: skip mark_done",
    "retry: run retry skip mark_done",
    "approval: skip mark_done",
    "input: skip mark_done",
    "person: stop skip mark_done",
    "running: stop skip mark_done",
    "done: rerun rerun_alone",
    "failed: run retry skip mark_done rerun rerun_alone",
    "interrupted: run retry skip mark_done rerun rerun_alone",
    "skipped: run retry rerun rerun_alone",
  ]);
});

test("after the end, run starts a new run, and retry continues the old one", () => {
  const over: RunState = { state: "failed", message: "" };
  expect(allowed({ state: "done", byHand: false }, over)).toBe("run rerun rerun_alone");
  expect(allowed({ state: "failed", failure: { reason: "exit_code", code: 1 } }, over)).toBe(
    "run retry skip mark_done rerun rerun_alone",
  );
});

test("only an agent's interrupted session can be resumed", () => {
  const run = runOf(plan, { a: { state: "interrupted", detail: "" } });
  const [node] = plan.nodes;
  const [nodeRun] = run.nodes;
  if (!node || !nodeRun) throw new Error("the fixture has a node");
  const agent = {
    ...node,
    kind: { kind: "agent" as const, agent: null, model: null, prompt: "", toolScope: null },
  };
  const facts = { node: agent, review: "approved" as const, run, nodeRun };
  expect(nodeActionRefusal("resume", facts)).toBe("No session to resume");
  const withSession = { ...nodeRun, session: "s" };
  expect(nodeActionRefusal("resume", { ...facts, nodeRun: withSession })).toBeUndefined();
  expect(nodeActionRefusal("resume", { ...facts, node, nodeRun: withSession })).toBe(
    "Only agent sessions can be resumed",
  );
});

test("a draft does not run, and a note never does", () => {
  const [node] = plan.nodes;
  if (!node) throw new Error("the fixture has a node");
  const facts = { node, review: "draft" as const, run: undefined, nodeRun: undefined };
  expect(nodeActionRefusal("run", facts)).toBe("Approve the blueprint first");
  const note = { ...node, kind: { kind: "note" as const, text: "" } };
  expect(nodeActionRefusal("run", { ...facts, node: note, review: "approved" })).toBe(
    "Notes don't run",
  );
});
