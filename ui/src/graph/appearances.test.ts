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

test("nodes look as their state, and the edge to what runs is on the path", () => {
  const run = runOf(plan, { a: { state: "done", byHand: false }, b: { state: "running" } });
  const looks = computeAppearances(scene, runsByNode(run));
  expect([...looks.nodes].map((look) => nodeAppearances[look])).toEqual([
    "done",
    "running",
    "untouched",
  ]);
  expect([...looks.lines].map((look) => lineAppearances[look])).toEqual(["path", "edge"]);
});

test("a disabled node looks so until a run says more of it", () => {
  const nodes = plan.nodes.map((node) => ({ ...node, disabled: true }));
  const off = createScene({ ...plan, nodes }, new Map());
  const looks = computeAppearances(
    off,
    runsByNode(runOf(plan, { a: { state: "done", byHand: false } })),
  );
  expect([...looks.nodes].map((look) => nodeAppearances[look])).toEqual([
    "done",
    "disabled",
    "disabled",
  ]);
});

test("a change of one node is one difference", () => {
  const before = computeAppearances(scene, runsByNode(runOf(plan, { a: { state: "running" } })));
  const after = computeAppearances(
    scene,
    runsByNode(runOf(plan, { a: { state: "done", byHand: false } })),
  );
  expect(changedIndices(before.nodes, after.nodes)).toEqual([0]);
  expect(changedIndices(before.lines, before.lines)).toEqual([]);
});
