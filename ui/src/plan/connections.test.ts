// @vitest-environment node
import { expect, test } from "vitest";
import {
  applyConnections,
  connectionsTo,
  draggedNodes,
  joinPlace,
  skippedText,
} from "./connections";
import { planOf } from "./planFixture";
import type { Refusal } from "./reachability";

const plain = planOf(["a", "b", "fork", "end"], ["a>end"]);
const kind = { kind: "condition", condition: "true", trueStep: null, falseStep: null } as const;
const plan = {
  ...plain,
  nodes: plain.nodes.map((node) => (node.id === "fork" ? { ...node, kind } : node)),
};

test("a condition among several nodes uses its free branch, and the end itself is left out", () => {
  const { connections, refusals } = connectionsTo(plan, ["a", "b", "fork", "end"], "parent", "end");
  expect(refusals).toEqual([{ why: "duplicate" }]);
  const after = applyConnections(plan, connections);
  expect(after.edges.slice(1)).toEqual([{ parent: "b", child: "end", soft: false }]);
  expect(after.nodes[2]?.kind).toMatchObject({ trueStep: "end", falseStep: null });
});

test("several nodes become children of one", () => {
  const { connections } = connectionsTo(plan, ["b", "end"], "child", "fork");
  expect(connections).toEqual([
    { parent: "fork", child: "b", condition: undefined },
    { parent: "fork", child: "end", condition: undefined },
  ]);
});

const duplicate: Refusal = { why: "duplicate" };
const cycle: Refusal = { why: "cycle", path: [] };
const note: Refusal = { why: "note" };
test.each<[Refusal[], string]>([
  [[], ""],
  [[duplicate], "1 is already connected"],
  [[duplicate, duplicate, cycle], "2 are already connected and 1 would create a cycle"],
  [[cycle, cycle, note], "2 would create a cycle and 1 is a note"],
  [[note, note], "2 are notes"],
])("skipped connections %# are summarized", (refusals, expected) => {
  expect(skippedText(refusals)).toBe(expected);
});

test("a branch is drawn from its own node only", () => {
  const selection = new Set(["a", "fork"]);
  expect(draggedNodes("fork", selection, undefined)).toEqual(["a", "fork"]);
  expect(draggedNodes("fork", selection, "true")).toEqual(["fork"]);
  expect(draggedNodes("b", selection, undefined)).toEqual(["b"]);
});

test("the place after several nodes follows the direction of the plan", () => {
  const places = [
    { x: 0, y: 0 },
    { x: 300, y: 400 },
  ];
  expect(joinPlace(places, undefined)).toEqual({ x: 300, y: 200 });
  expect(joinPlace(places, "top_down")).toEqual({ x: 150, y: 400 });
  expect(joinPlace([], undefined)).toBeUndefined();
});
