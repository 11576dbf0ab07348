// @vitest-environment node
import { expect, test } from "vitest";
import type { NodeKind, NodeRunView, NodeState, PinOrigin } from "@/api/bindings";
import { nodeStateLabel } from "@/components/nodeState";
import { noMarks } from "@/run/runAtMoment";
import { kindSummary, toolCallText } from "./kindSummary";
import { nodeMarkLabels } from "./nodeMarkLabels";
import { nodeLabel, nodeStateAppearance, runReason, stateReason } from "./nodeText";
import { planOf, runOf } from "./planFixture";
import { nodesMadeStale, staleNodes, staleNotice } from "./staleNodes";

const plan = planOf(["a", "b", "c"], ["a>b", "b>c"]);
const titleOf = (id: string) => `Title of ${id}`;

test("every state has its label and its reason", () => {
  const failure = { reason: "exit_code", code: 2 } as const;
  const table: [NodeState, string, string | undefined][] = [
    [
      { state: "waiting", for: { kind: "approval", question: "Start it?" } },
      "Waiting for you",
      "Start it?",
    ],
    [
      {
        state: "waiting",
        for: { kind: "input", question: "Which?", inputType: "text", options: [], due: null },
      },
      "Waiting for you",
      "Which?",
    ],
    [{ state: "waiting", for: { kind: "slot" } }, "Waiting", "Waiting for a free slot"],
    [{ state: "failed", failure }, "Failed", "Exit code 2"],
    [
      { state: "failed", failure, wentOnAt: "b" },
      "Failed",
      "Failed, continued at Title of b: Exit code 2",
    ],
    [
      { state: "failed", failure: { reason: "no_answer", limitMs: 60_000 } },
      "Failed",
      "No answer within 1m 00s",
    ],
    [
      { state: "failed", failure: { reason: "budget_spent", detail: "9 of 8 tokens" } },
      "Failed",
      "Budget spent: 9 of 8 tokens",
    ],
    [{ state: "failed", failure: { reason: "by_hand" } }, "Failed", "Marked failed manually"],
    [
      { state: "skipped", reason: { kind: "refused" } },
      "Skipped",
      "Skipped: permission to start was denied",
    ],
    [
      { state: "skipped", reason: { kind: "after_failure", failure } },
      "Failed, skipped",
      "Skipped after a failure: Exit code 2",
    ],
    [
      { state: "skipped", reason: { kind: "not_taken", by: "a" } },
      "Skipped",
      "Not taken: Title of a chose another branch",
    ],
    [
      { state: "skipped", reason: { kind: "only_pinned_need" } },
      "Skipped",
      "Left out: only pinned nodes need it",
    ],
    [
      { state: "skipped", reason: { kind: "jumped_over", by: "a" } },
      "Skipped",
      "Bypassed after Title of a",
    ],
    [{ state: "skipped", reason: { kind: "rule_not_met" } }, "Skipped", "Trigger rule not met"],
    [
      { state: "skipped", reason: { kind: "rule_not_met", because: "a" } },
      "Skipped",
      "Trigger rule not met: Title of a failed",
    ],
  ];
  for (const [state, word, reason] of table) {
    const [node] = runOf(plan, { a: state }).nodes;
    expect(nodeStateLabel(nodeStateAppearance(node))).toBe(word);
    expect(stateReason(state, titleOf)).toBe(reason);
  }
});

test("marks of a run are shown as short labels", () => {
  const [node] = plan.nodes;
  if (!node) throw new Error("the fixture has a node");
  const fork = {
    ...node,
    kind: { kind: "condition", condition: "true", trueStep: null, falseStep: null } as NodeKind,
  };
  const labels = (marks: Partial<NodeRunView["marks"]>, stale = false, of = node) =>
    nodeMarkLabels(of, { marks: { ...noMarks, ...marks }, stale });
  expect(labels({})).toEqual([]);
  expect(labels({ taken: false }, false, fork)).toEqual(["took the false branch"]);
  expect(labels({ losses: 2, silent: true }, true)).toEqual([
    "stale: its input has changed since",
    "silent for longer than expected",
    "2 attempts lost",
  ]);
  expect(labels({ resumes: "s", spent: { tokens: 12_000, costMicros: 420_000 } })).toEqual([
    "continues an earlier session",
    "used 12,000 tokens, $0.42",
  ]);
  expect(labels({ spent: { tokens: 0, costMicros: 400 } }), "less than a cent is not 0").toEqual([
    "used $0.0004",
  ]);
});

test("every kind has a one-line summary", () => {
  const [node] = plan.nodes;
  if (!node) throw new Error("the fixture has a node");
  const call = { toolName: "read", toolArgs: { limit: 3, path: "a.txt" } };
  const table: [NodeKind, string][] = [
    [{ kind: "tool_call", ...call }, "read a.txt"],
    [{ kind: "tool_call", toolName: " ", toolArgs: {} }, "No tool yet"],
    [
      { kind: "llm_decision", agent: "codex", model: null, prompt: "?", choices: ["a", "b"] },
      "codex: a / b",
    ],
    [
      { kind: "user_input", question: "Go\non?", inputType: "text", options: [], timeout: null },
      "Go on?",
    ],
    [{ kind: "condition", condition: "", trueStep: null, falseStep: null }, "No condition yet"],
    [
      { kind: "parallel", steps: [call, call, call], waitAll: true, maxConcurrent: 2 },
      "3 calls, 2 at once",
    ],
    [
      { kind: "loop", body: { tool: call }, maxIterations: 4, loopCondition: null },
      "Up to 4 × read a.txt",
    ],
    [{ kind: "sub_plan", subPlanId: "p1" }, "Release"],
    [{ kind: "sub_plan", subPlanId: "By title" }, "By title"],
    [{ kind: "sub_plan", subPlanId: "" }, "No blueprint yet"],
  ];
  const titles = new Map([["p1", "Release"]]);
  for (const [kind, words] of table) expect(kindSummary({ ...node, kind }, titles)).toBe(words);
  expect(toolCallText({ toolName: "x", toolArgs: { deep: {}, word: "w" } })).toBe("x w");
});

test("a node that used its pinned output says where that comes from", () => {
  const plan = planOf(["a"], []);
  const labelWith = (origin: PinOrigin) => {
    const [node] = runOf(plan, { a: { state: "done", byHand: true } }).nodes;
    if (!node || !plan.nodes[0]) throw new Error("the plan has a node");
    const pinned = { ...node, marks: { ...node.marks, pinnedOutput: origin } };
    return [runReason(pinned, String), nodeLabel(plan.nodes[0], pinned)];
  };
  const origin = { by: "person:window", at: 0, run: 3 };
  expect(labelWith(origin)).toEqual([
    "Pinned output from run #3",
    "Title of a, command, Done, Pinned output from run #3",
  ]);
  expect(labelWith({ ...origin, run: null })[0]).toBe("Pinned output, typed");
});

test("nodes that used a handoff become stale with it and are named", () => {
  const done: NodeState = { state: "done", byHand: false };
  const run = runOf(plan, { a: done, b: done, c: { state: "running" } });
  expect(nodesMadeStale(run, "a")).toEqual(["b"]);
  expect(staleNotice(run, "a")).toBe(
    "1 finished node becomes stale: Title of b. You can rerun it afterwards.",
  );
  expect(staleNotice(run, "c")).toBe("No finished node used this handoff.");
  const stale = { ...run, nodes: run.nodes.map((each) => ({ ...each, stale: each.node === "b" })) };
  expect(staleNodes(stale)).toEqual(["b"]);
});
