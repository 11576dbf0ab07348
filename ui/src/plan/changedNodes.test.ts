// @vitest-environment node
import { expect, test } from "vitest";
import type { Plan } from "@/api/bindings";
import { changedNodes } from "./changedNodes";
import * as edits from "./edits";
import { planOf } from "./planFixture";

const plan = planOf(["a", "b", "c", "d"], ["a>b", "b>c"]);

test.each<[string, Plan, string[]]>([
  ["nothing", { ...plan, title: "Renamed" }, []],
  ["a renamed node", edits.renameNode(plan, "b", "Renamed"), ["b"]],
  ["a moved node", edits.place(plan, new Map([["c", { x: 0, y: 900 }]])), ["c"]],
  ["the ends of a new edge", edits.connect(plan, "c", "d"), ["c", "d"]],
  ["the ends of a deleted edge", edits.removeEdges(plan, new Set(["a>b"])), ["a", "b"]],
  ["the ends of a softened edge", edits.setSoft(plan, new Set(["b>c"]), true), ["b", "c"]],
  ["no neighbors of a deleted node", edits.removeNodes(plan, new Set(["b"])), []],
])("an edit changes %s", (_, after, expected) => {
  expect(changedNodes(plan, after)).toEqual(expected);
});

test("a node that came back is changed, its neighbors are not", () => {
  expect(changedNodes(edits.removeNodes(plan, new Set(["b"])), plan)).toEqual(["b"]);
});
