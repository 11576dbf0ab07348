// @vitest-environment node
import { expect, test } from "vitest";
import { planOf, runOf } from "@/plan/planFixture";
import { runsByNode } from "@/run/runsByNode";
import { differences, lineLooks, looksOf, nodeLooks } from "./looks";
import { sceneOf } from "./scene";

const plan = planOf(["a", "b", "c"], ["a>b", "b>c"]);
const scene = sceneOf(plan, new Map());

test("nodes look as their state, and the edge to what runs is on the path", () => {
  const run = runOf(plan, { a: { state: "done", byHand: false }, b: { state: "running" } });
  const looks = looksOf(scene, runsByNode(run));
  expect([...looks.nodes].map((look) => nodeLooks[look])).toEqual(["done", "running", "untouched"]);
  expect([...looks.lines].map((look) => lineLooks[look])).toEqual(["path", "edge"]);
});

test("a disabled node looks so until a run says more of it", () => {
  const nodes = plan.nodes.map((node) => ({ ...node, disabled: true }));
  const off = sceneOf({ ...plan, nodes }, new Map());
  const looks = looksOf(off, runsByNode(runOf(plan, { a: { state: "done", byHand: false } })));
  expect([...looks.nodes].map((look) => nodeLooks[look])).toEqual(["done", "disabled", "disabled"]);
});

test("a change of one node is one difference", () => {
  const before = looksOf(scene, runsByNode(runOf(plan, { a: { state: "running" } })));
  const after = looksOf(scene, runsByNode(runOf(plan, { a: { state: "done", byHand: false } })));
  expect(differences(before.nodes, after.nodes)).toEqual([0]);
  expect(differences(before.lines, before.lines)).toEqual([]);
});
