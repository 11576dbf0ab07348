// @vitest-environment node
import { expect, test } from "vitest";
import { changeNode } from "./edits";
import { colorNote, fittingNoteSize, resizeNote, writeNote } from "./notes";
import { planOf } from "./planFixture";

const plan = changeNode(planOf(["n", "a"], []), "n", (node) => ({
  ...node,
  kind: { kind: "note", text: "hi" },
}));

test("a note is written, resized and colored; equal values and other nodes change nothing", () => {
  const written = writeNote(plan, "n", "# Title");
  const sized = resizeNote(written, "n", { width: 301, height: 99 });
  const colored = colorNote(sized, "n", "teal");
  expect(colored.nodes[0]?.kind).toEqual({
    kind: "note",
    text: "# Title",
    size: { width: 300, height: 100 },
    color: "teal",
  });
  expect(writeNote(colored, "n", "# Title")).toBe(colored);
  expect(colorNote(colored, "n", "teal")).toBe(colored);
  expect(resizeNote(colored, "n", { width: 300, height: 100 })).toBe(colored);
  expect(writeNote(plan, "a", "text")).toBe(plan);
});

test("an invalid size becomes the nearest allowed one", () => {
  expect(fittingNoteSize({ width: -5, height: 1e9 })).toEqual({ width: 80, height: 2000 });
});
