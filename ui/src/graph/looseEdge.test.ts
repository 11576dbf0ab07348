// @vitest-environment node
import { expect, test } from "vitest";
import type { NodePickerRequest } from "@/plan/page";
import { planOf } from "@/plan/planFixture";
import { looseEdgePath } from "./looseEdge";
import { createScene } from "./scene";

// `a` is at 0, 0 and `b` at 300, 0; the new card is at 600, 100.
const plan = planOf(["a", "b"], []);
const scene = createScene(plan, new Map());
const [screen, at] = [
  { x: 0, y: 0 },
  { x: 600, y: 100 },
];

test.each<[string, Partial<NodePickerRequest>, string | undefined]>([
  ["to a new child", { at, link: { nodes: ["a"], as: "parent" } }, "220 32 to 600 132"],
  ["from a new parent", { at, link: { nodes: ["a"], as: "child" } }, "820 132 to 0 32"],
  [
    "of a failure, from its own side",
    { at, link: { nodes: ["a"], as: "parent", condition: "failure" } },
    "110 64 to 600 132",
  ],
  ["of a node that is gone", { at, link: { nodes: ["gone"], as: "parent" } }, undefined],
  ["when the picker is for a node alone", { at }, undefined],
  ["when the picker is for an existing edge", { at, edge: "a>b" }, undefined],
])("the loose edge %s", (_, request, ends) => {
  const path = looseEdgePath(scene, { screen, ...request });
  const found = path?.match(/^M(\S+ \S+)C.* (\S+ \S+)$/);
  expect(found ? `${found[1]} to ${found[2]}` : undefined).toBe(ends);
});

test("in a plan that reads downward, the loose edge leaves at the bottom", () => {
  const downward = createScene({ ...plan, direction: "top_down" }, new Map());
  const path = looseEdgePath(downward, { screen, at, link: { nodes: ["a"], as: "parent" } });
  expect(path).toMatch(/^M110 64C.* 710 100$/);
  expect(looseEdgePath(downward, undefined)).toBeUndefined();
});

test("edges from several nodes meet at the new card", () => {
  const path = looseEdgePath(scene, { screen, at, link: { nodes: ["a", "b"], as: "parent" } });
  expect(path).toMatch(/^M220 32C.* 600 132M520 32C.* 600 132$/);
});
