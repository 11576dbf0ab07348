import { expect, test } from "vitest";
import type { NodeState } from "@/api/bindings";
import { noMarks } from "@/run/runAtMoment";
import { inactiveSince, inactivityText, inactivityThreshold } from "./inactivity";
import { planOf, runOf } from "./planFixture";

const minute = 60_000;

test.each([
  [undefined, undefined],
  [0, undefined],
  [5 * minute - 1, undefined],
  [5 * minute, "quiet for 5 min"],
  [7.9 * minute, "quiet for 7 min"],
  [3 * 60 * minute, "quiet for 3 h"],
  // The backend's clock may be ahead of the page's.
  [-minute, undefined],
])("a session silent for %j ms shows %j", (span, words) => {
  expect(
    inactivityText(span === undefined ? undefined : 1_000, 1_000 + (span ?? 0), 5 * minute),
  ).toBe(words);
});

test.each<[string, NodeState, number | undefined]>([
  ["running", { state: "running" }, 7],
  [
    "waiting for a person",
    { state: "waiting", for: { kind: "person", question: "May I?", request: "r", call: null } },
    undefined,
  ],
  ["done", { state: "done", byHand: false }, undefined],
])("a node that is %s is quiet since %j", (_, state, since) => {
  const [node] = runOf(planOf(["a"], []), { a: state }).nodes;
  expect(inactiveSince(node && { ...node, quietSince: 7 })).toBe(since);
});

test("the node sets the threshold, and a flag from the run applies immediately", () => {
  const plan = planOf(["a"], []);
  const [node] = plan.nodes;
  const [run] = runOf(plan, { a: { state: "running" } }).nodes;
  if (!node || !run) throw new Error("the fixture has a node");
  expect(inactivityThreshold(node, run)).toBe(10 * minute);
  expect(inactivityThreshold({ ...node, silentAfterMs: minute }, run)).toBe(minute);
  expect(inactivityThreshold(node, { ...run, marks: { ...noMarks, silent: true } })).toBe(0);
});
