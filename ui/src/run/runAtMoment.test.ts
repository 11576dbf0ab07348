// @vitest-environment node
import { expect, test } from "vitest";
import type { NodeState } from "@/api/bindings";
import { planOf, runOf } from "@/plan/planFixture";
import { runAtMoment } from "./runAtMoment";
import { done, failed, running, stateHistoryOf } from "./stateHistoryFixture";

const plan = planOf(["a", "b"], ["a>b"]);
const stateHistory = stateHistoryOf(
  ["a", "b"],
  [
    [1_000, { a: running }],
    [2_000, { a: done }],
    [3_000, { b: running }],
  ],
);
const run = runOf(plan, { a: done, b: running });

test("fields missing in the history come from the run if the attempt is the same", () => {
  const [a] = run.nodes;
  if (a) {
    a.artifact = "handoff";
    a.marks = { ...a.marks, choice: { agent: "claude", reason: { kind: "named" } } as never };
  }
  expect(runAtMoment(run, stateHistory, 1).nodes[0]).toMatchObject({
    artifact: "handoff",
    marks: { choice: { agent: "claude" } },
    startedAt: 1_000,
    endedAt: 2_000,
  });
  expect(
    runAtMoment(run, stateHistory, 0).nodes[0]?.artifact,
    "there was no handoff yet",
  ).toBeNull();
});

test("the times of an ended attempt are the measured ones, those of a running one end now", () => {
  const times = { workedMs: 940, waitedMs: 0, elapsedMs: 1_000, workingSince: null };
  const nodes = run.nodes.map((node) => ({ ...node, times }));
  // The views of a history are kept, so this has its own.
  const measured = stateHistoryOf(
    ["a", "b"],
    [
      [1_000, { a: running }],
      [2_000, { a: done }],
    ],
  );
  expect(runAtMoment({ ...run, nodes }, measured, 1).nodes[0]?.times).toEqual(times);
  expect(runAtMoment({ ...run, nodes }, measured, 0).nodes[0]?.times).toMatchObject({
    workingSince: 1_000,
  });
});

test("a node that used its pinned output did so at every moment", () => {
  const origin = { by: "person:window", at: 0, run: 3 };
  const nodes = run.nodes.map((node) => ({
    ...node,
    marks: { ...node.marks, pinnedOutput: origin },
  }));
  const history = stateHistoryOf(["a", "b"], [[1_000, { a: done }]]);
  const [a] = runAtMoment({ ...run, nodes }, history, 0).nodes;
  expect(a?.marks.pinnedOutput).toEqual(origin);
});

test("the nodes of a moment keep their identity", () => {
  const [before, after] = [runAtMoment(run, stateHistory, 0), runAtMoment(run, stateHistory, 1)];
  expect(after.nodes[0]).not.toBe(before.nodes[0]);
  expect(runAtMoment(run, stateHistory, 2).nodes[0]).toBe(after.nodes[0]);
  expect(after.past).toEqual({ index: 1, seq: 2, at: 2_000 });
  expect(after.summary.progress).toEqual(["done", "pending"]);
  expect(after.plan).toBe(run.plan);
});

test("an unknown moment returns the run unchanged", () => {
  expect(runAtMoment(run, stateHistory, 99)).toBe(run);
});

test("ten thousand events of two thousand nodes can be replayed", () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `n${at}`);
  const events = Array.from(
    { length: 10_000 },
    (_, at): [number, Record<string, typeof running>] => [
      at,
      { [`n${at % 2_000}`]: at % 2 === 0 ? running : done },
    ],
  );
  const large = stateHistoryOf(names, events);
  const whole = runOf(planOf(names, []), {});
  // The cost per moment must not be multiplied by the number of nodes: this would never finish.
  for (let index = 0; index < 10_000; index += 200) runAtMoment(whole, large, index);
  const last = runAtMoment(whole, large, 9_999);
  expect(last.nodes.filter(({ state }) => state.state === "done").length).toBeGreaterThan(900);
});

test("a moment is the same whether reached by steps or computed from scratch", () => {
  const names = Array.from({ length: 30 }, (_, at) => `n${at}`);
  const events = Array.from({ length: 600 }, (_, at): [number, Record<string, NodeState>] => [
    at * 10,
    { [`n${(at * 17) % 30}`]: [running, done, failed][at % 3] ?? running },
  ]);
  const long = stateHistoryOf(names, events);
  const whole = runOf(planOf(names, []), {});
  for (const index of [599, 0, 300, 301, 299, 299, 7, 598, 1, 450, 0]) {
    const fresh = runAtMoment(whole, { ...long }, index);
    expect(runAtMoment(whole, long, index)).toEqual(fresh);
  }
});

test("a step keeps the identity of nodes to which nothing happened", () => {
  const [before, after] = [runAtMoment(run, stateHistory, 1), runAtMoment(run, stateHistory, 0)];
  const again = runAtMoment(run, stateHistory, 1);
  expect(again.nodes[1], "b had not started at either moment").toBe(after.nodes[1]);
  expect(again.nodes[0]).toBe(before.nodes[0]);
});
