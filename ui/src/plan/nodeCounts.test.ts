import { expect, test } from "vitest";
import type { Node } from "@/api/bindings";
import { countRunnable, formatChosen, formatNodesAndNotes } from "./nodeCounts";

function some(runnable: number, notes: number): Pick<Node, "id" | "kind">[] {
  const run = { kind: "command", command: "x", env: {}, cwd: null } as const;
  const note = { kind: "note", text: "", color: "gray", size: null } as const;
  return Array.from({ length: runnable + notes }, (_, at) => ({
    id: `${at}`,
    kind: at < runnable ? run : note,
  })) as Pick<Node, "id" | "kind">[];
}

test.each([
  [0, 0, "0 nodes"],
  [1, 0, "1 node"],
  [2_000, 0, "2,000 nodes"],
  [0, 1, "1 note"],
  [0, 2, "2 notes"],
  [1, 1, "1 node and 1 note"],
  [3, 2, "3 nodes and 2 notes"],
])("%d nodes and %d notes are counted apart", (runnable, notes, text) => {
  const nodes = some(runnable, notes);
  expect(formatNodesAndNotes(nodes)).toBe(text);
  expect(countRunnable(nodes)).toBe(runnable);
});

test("only the chosen ones are counted", () => {
  expect(formatChosen(some(2, 1), new Set(["0", "2"]))).toBe("1 node and 1 note");
});
