// @vitest-environment node
import { expect, test } from "vitest";
import { changeNode } from "./edits";
import { planOf } from "./planFixture";
import { withReachableNodes } from "./reachableNodes";
import { matchesOf, nextMatch } from "./search";

test("nodes are found by title, slug, description and kind, in plan order", () => {
  let plan = planOf(["a", "b", "c"], []);
  plan = changeNode(plan, "c", (node) => ({ ...node, description: "Sweep the YARD" }));
  plan = changeNode(plan, "a", (node) => ({ ...node, kind: { kind: "note", text: "yard sale" } }));
  expect(matchesOf(plan, " yard ")).toEqual(["a", "c"]);
  expect(matchesOf(plan, "title of b")).toEqual(["b"]);
  expect(matchesOf(plan, " ")).toEqual([]);
});

test("next and previous wrap around, starting at the selected match", () => {
  const found = ["a", "b", "c"];
  expect(nextMatch(found, new Set(["b"]), 1)).toBe("c");
  expect(nextMatch(found, new Set(["c"]), 1)).toBe("a");
  expect(nextMatch(found, new Set(["a"]), -1)).toBe("c");
  expect(nextMatch(found, new Set(), 1)).toBe("a");
  expect(nextMatch(found, new Set(["x"]), -1)).toBe("c");
  expect(nextMatch([], new Set(), 1)).toBeUndefined();
});

test("upstream and downstream include all indirect nodes", () => {
  const plan = planOf(["a", "b", "c", "d", "e"], ["a>b", "b>c", "d>c", "c>e"]);
  expect([...withReachableNodes(plan, new Set(["c"]), "upstream")].sort()).toEqual([
    "a",
    "b",
    "c",
    "d",
  ]);
  expect([...withReachableNodes(plan, new Set(["b"]), "downstream")].sort()).toEqual([
    "b",
    "c",
    "e",
  ]);
});
