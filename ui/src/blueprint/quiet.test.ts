import { expect, test } from "vitest";
import type { NodeState } from "@/api/bindings";
import { planOf, runOf } from "./planFixture";
import { quietSinceOf, quietWords } from "./quiet";

const minute = 60_000;

test.each([
  [undefined, undefined],
  [0, undefined],
  [5 * minute - 1, undefined],
  [5 * minute, "quiet for 5 min"],
  [7.9 * minute, "quiet for 7 min"],
  [3 * 60 * minute, "quiet for 3 h"],
  // The clock of the shell may be ahead of the page's.
  [-minute, undefined],
])("a session silent for %j ms says %j", (span, words) => {
  expect(quietWords(span === undefined ? undefined : 1_000, 1_000 + (span ?? 0))).toBe(words);
});

test.each<[string, NodeState, number | undefined]>([
  ["running", { state: "running" }, 7],
  [
    "waiting for a person",
    { state: "waiting", for: { kind: "person", question: "May I?", request: "r" } },
    undefined,
  ],
  ["done", { state: "done", byHand: false }, undefined],
])("a node that is %s is quiet since %j", (_, state, since) => {
  const [node] = runOf(planOf(["a"], []), { a: state }).nodes;
  expect(quietSinceOf(node && { ...node, quietSince: 7 })).toBe(since);
});
