// @vitest-environment node
import { expect, test } from "vitest";
import type { RunExecutorView, RunState } from "@/api/bindings";
import { planOf, runOf } from "./planFixture";
import {
  failedNodes,
  liveSessions,
  progressCount,
  runChangeAnnouncement,
  runPhase,
  unverifiedText,
} from "./runStatus";

const plan = planOf(["a", "b", "c", "d", "e"], []);
const done = { state: "done", byHand: false } as const;

test("the phase of the run bar follows the state of the run", () => {
  const phase = (state: RunState, attendance: RunExecutorView = { where: "here" }) =>
    runPhase(runOf(plan, {}, { state, attendance }));
  expect(runPhase(undefined)).toBe("idle");
  expect(phase({ state: "running", ending: null })).toBe("running");
  expect(phase({ state: "running", ending: null }, { where: "none" })).toBe("orphaned");
  expect(phase({ state: "running", ending: { kind: "pausing", stopRunning: false } })).toBe(
    "pausing",
  );
  expect(phase({ state: "running", ending: { kind: "cancelling" } })).toBe("stopping");
  expect(phase({ state: "running", ending: { kind: "aborting", node: "a" } })).toBe("aborting");
  expect(phase({ state: "paused", reason: "asked" })).toBe("paused");
  expect(phase({ state: "paused", reason: "goal_reached" })).toBe("idle");
  expect(phase({ state: "stalled", message: "" })).toBe("stalled");
  const before = { state: "failed", message: "" } as const;
  expect(phase({ state: "replanning", proposal: "p", before }), "the proposal continues").toBe(
    "idle",
  );
  for (const state of ["completed", "cancelled"] as const) expect(phase({ state })).toBe("idle");
});

test("a session that asks a person counts as active", () => {
  const run = runOf(plan, {
    a: { state: "running" },
    b: { state: "waiting", for: { kind: "person", question: "?", request: "r", call: null } },
    c: { state: "waiting", for: { kind: "slot" } },
  });
  expect(liveSessions(run)).toBe(2);
});

test("done nodes that were not confirmed are counted", () => {
  const run = runOf(plan, { a: done, b: done, c: done });
  expect(unverifiedText(run)).toBeUndefined();
  const [a, b, c, ...others] = run.nodes;
  if (!a || !b || !c) throw new Error("the plan has nodes");
  const nodes = [{ ...a, unverified: true }, { ...b, notChecked: true }, c, ...others];
  expect(unverifiedText({ nodes })).toBe("1 unverified, 1 not checked");
});

test("skipped nodes count as finished, failed ones do not", () => {
  const run = runOf(plan, {
    a: done,
    b: { state: "skipped", reason: { kind: "by_hand" } },
    c: { state: "failed", failure: { reason: "exit_code", code: 1 } },
    d: { state: "interrupted", detail: "" },
  });
  expect(progressCount(run)).toBe("2/5");
  expect(failedNodes(run)).toEqual(["c", "d"]);
  const failure = { reason: "exit_code", code: 1 } as const;
  const wentOn = runOf(plan, { c: { state: "failed", failure, wentOnAt: "d" } });
  expect(failedNodes(wentOn), "the run continued after it").toEqual([]);
});

test("a screen reader gets the changes, or counts if there are many", () => {
  const before = runOf(plan, {});
  const failed = { state: "failed", failure: { reason: "exit_code", code: 2 } } as const;
  expect(runChangeAnnouncement(before, runOf(plan, { a: done, b: failed }))).toBe(
    "Title of a: done. Title of b: failed, Exit code 2",
  );
  const many = runOf(
    plan,
    { a: done, b: done, c: done, d: failed },
    { state: { state: "failed", message: "" } },
  );
  expect(runChangeAnnouncement(before, many)).toBe("3 done. 1 failed. Run: failed");
  expect(runChangeAnnouncement(before, before)).toBe("");
  expect(runChangeAnnouncement(undefined, before)).toBe("");
});
