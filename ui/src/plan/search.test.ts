// @vitest-environment node
import { expect, test } from "vitest";
import { changeNode } from "./edits";
import { planOf } from "./planFixture";
import { withReachableNodes } from "./reachableNodes";
import { matchesOf, nextMatch } from "./search";

test("nodes are found by title, id, description and kind, in their order", () => {
  let plan = planOf(["a", "b", "c"], []);
  plan = changeNode(plan, "c", (node) => ({ ...node, description: "Sweep the YARD" }));
  plan = changeNode(plan, "a", (node) => ({ ...node, kind: { kind: "note", text: "yard sale" } }));
  expect(matchesOf(plan, " yard ")).toEqual(["a", "c"]);
  expect(matchesOf(plan, "title of b")).toEqual(["b"]);
  expect(matchesOf(plan, " ")).toEqual([]);
});

test("the matches go round, from the one that is selected", () => {
  const found = ["a", "b", "c"];
  expect(nextMatch(found, new Set(["b"]), 1)).toBe("c");
  expect(nextMatch(found, new Set(["c"]), 1)).toBe("a");
  expect(nextMatch(found, new Set(["a"]), -1)).toBe("c");
  expect(nextMatch(found, new Set(), 1)).toBe("a");
  expect(nextMatch(found, new Set(["x"]), -1)).toBe("c");
  expect(nextMatch([], new Set(), 1)).toBeUndefined();
});

test("kin are all that come before, or after", () => {
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
