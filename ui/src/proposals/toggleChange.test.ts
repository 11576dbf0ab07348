import { expect, test } from "vitest";
import { toggleChange } from "./toggleChange";

const keys = ["add b", "add c", "add edge a b", "add edge b c", "rename a"];
const required = [[], [], [0], [0, 1], []];

test.each([
  ["an edge without its new node", [], "add b", ["add b", "add edge a b", "add edge b c"]],
  ["a node that no edge needs", [], "rename a", ["rename a"]],
  ["an edge keeps its nodes", [], "add edge a b", ["add edge a b"]],
  ["an edge takes its nodes back", keys, "add edge b c", ["add edge a b", "rename a"]],
  ["a node comes back alone", keys, "add c", keys.filter((key) => key !== "add c")],
] as const)("%s", (_, left, key, expected) => {
  expect([...toggleChange(keys, required, new Set(left), key)].sort()).toEqual(
    [...expected].sort(),
  );
});
