// @vitest-environment node
import { expect, test } from "vitest";
import { planOf, runOf } from "@/plan/planFixture";
import { runsByNode } from "@/run/runsByNode";
import {
  changedIndices,
  computeAppearances,
  lineAppearances,
  nodeAppearances,
} from "./appearances";
import { createScene } from "./scene";

const plan = planOf(["a", "b", "c"], ["a>b", "b>c"]);
const scene = createScene(plan, new Map());

test("nodes look like their state, and the edge to a running node is on the path", () => {
  const run = runOf(plan, { a: { state: "done", byHand: false }, b: { state: "running" } });
  const appearances = computeAppearances(scene, runsByNode(run));
  expect([...appearances.nodes].map((appearance) => nodeAppearances[appearance])).toEqual([
    "done",
    "running",
    "untouched",
  ]);
  expect([...appearances.lines].map((appearance) => lineAppearances[appearance])).toEqual([
    "path",
    "edge",
  ]);
});

test("the way that the run has come stays visible", () => {
  const done = { state: "done", byHand: false } as const;
  const { lines } = computeAppearances(scene, runsByNode(runOf(plan, { a: done, b: done })));
  expect([...lines].map((appearance) => lineAppearances[appearance])).toEqual(["carried", "edge"]);
});

test("a disabled node appearances disabled until a run gives it a state", () => {
  const nodes = plan.nodes.map((node) => ({ ...node, disabled: true }));
  const off = createScene({ ...plan, nodes }, new Map());
  const appearances = computeAppearances(
    off,
    runsByNode(runOf(plan, { a: { state: "done", byHand: false } })),
  );
  expect([...appearances.nodes].map((appearance) => nodeAppearances[appearance])).toEqual([
    "done",
    "disabled",
    "disabled",
  ]);
});

test("changing one node gives one difference", () => {
  const before = computeAppearances(scene, runsByNode(runOf(plan, { a: { state: "running" } })));
  const after = computeAppearances(
    scene,
    runsByNode(runOf(plan, { a: { state: "done", byHand: false } })),
  );
  expect(changedIndices(before.nodes, after.nodes)).toEqual([0]);
  expect(changedIndices(before.lines, before.lines)).toEqual([]);
});
