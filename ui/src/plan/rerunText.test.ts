import { expect, test } from "vitest";
import type { RerunPreviewView } from "@/api/bindings";
import type { RerunRequest } from "./rerunRequest";
import { rerunConfirmLabel, rerunCostText, rerunTitle, stoppedSessionsText } from "./rerunText";

const request = (act: Exclude<RerunRequest["act"], "want" | "skip">): RerunRequest => ({
  act,
  run: "run",
  nodes: [],
});

const skip = (nodes: string[], running: string[]) =>
  ({ act: "skip", run: "run", nodes, running, starts: [] }) as const;

const wantAll: RerunRequest = { act: "want", run: "run", goals: [{ want: "all" }] };

test.each<[RerunRequest, string[], string]>([
  [request("retry"), ["Lint"], "Retry “Lint”?"],
  [request("retry"), ["Lint", "Test"], "Retry 2 nodes?"],
  [request("resume"), ["Lint"], "Resume the session of “Lint”?"],
  [request("rerun"), ["Lint"], "Rerun from “Lint”?"],
  [request("rerun_alone"), ["Lint"], "Rerun only “Lint”?"],
  [request("failed"), [], "Rerun failed nodes?"],
  [request("stale"), [], "Rerun stale nodes?"],
  [skip(["a"], []), ["Lint"], "Skip “Lint”?"],
  [skip(["a", "b"], ["b"]), ["Lint", "Test"], "Stop and skip 2 nodes?"],
  [wantAll, [], "Run all remaining nodes?"],
  [{ act: "want", run: "run", goals: [{ want: "next" }] }, [], "Run the next node?"],
  [{ act: "want", run: "run", goals: [{ want: "node", node: "a" }] }, ["Lint"], "Run “Lint”?"],
])("the title names the act and its nodes: %o", (asked, titles, expected) => {
  expect(rerunTitle(asked, titles)).toBe(expected);
});

test("the button says how many nodes run", () => {
  expect(rerunConfirmLabel(request("rerun"), 4)).toBe("Rerun 4 nodes");
  expect(rerunConfirmLabel(request("retry"), 1)).toBe("Retry 1 node");
  expect(rerunConfirmLabel(request("rerun"), undefined)).toBe("Rerun");
  expect(rerunConfirmLabel(wantAll, undefined)).toBe("Run");
});

test.each([
  [["a"], ["a"], "This ends its session and all its processes."],
  [["a", "b"], ["a", "b"], "This ends their sessions and all their processes."],
  [["a", "b"], ["a"], "1 of them is running. This ends its session and all its processes."],
  [
    ["a", "b", "c"],
    ["a", "b"],
    "2 of them are running. This ends their sessions and all their processes.",
  ],
])("skipping %o says which sessions end", (nodes, running, expected) => {
  expect(stoppedSessionsText(skip(nodes, running))).toBe(expected);
});

const node = { node: "a", title: "A", kind: "agent", lastTokens: null };

test.each<[Partial<RerunPreviewView>, string]>([
  [
    {
      nodes: [{ ...node, lastMs: 245_000, lastCostUsd: 0.42 }],
      totalMs: 245_000,
      totalCostUsd: 0.42,
    },
    "Last time: 4m 05s of work, $0.42.",
  ],
  [
    { nodes: [{ ...node, lastMs: 5_000, lastCostUsd: null }], totalMs: 5_000, unknownCosts: 1 },
    "Last time: 5.0 s of work. The cost of 1 node is unknown.",
  ],
  [
    { nodes: [{ ...node, lastMs: null, lastCostUsd: null }], unknownCosts: 2 },
    "There are no times from an earlier attempt. The cost of 2 nodes is unknown.",
  ],
])("the cost says what is known and what is not", (facts, expected) => {
  const none = { nodes: [], totalMs: 0, totalCostUsd: 0, unknownCosts: 0 };
  expect(rerunCostText({ ...none, ...facts })).toBe(expected);
});
