import { expect, test } from "vitest";
import { extendTo, noSelection, selectAll, toggleRun } from "./selection";

const listed = ["a", "b", "c", "d"];

test("a run is selected and deselected", () => {
  const one = toggleRun(noSelection, "b");
  expect([...one.ids]).toEqual(["b"]);
  expect([...toggleRun(one, "b").ids]).toEqual([]);
});

test.each([
  ["b", "d", ["b", "c", "d"]],
  ["d", "b", ["b", "c", "d"]],
])("Shift selects from %s to %s", (from, to, expected) => {
  const range = extendTo(toggleRun(noSelection, from), to, listed);
  expect([...range.ids].sort()).toEqual(expected);
  expect(range.anchor).toBe(from);
});

test("a range from a run that is no longer listed selects one", () => {
  expect([...extendTo({ ids: new Set(), anchor: "gone" }, "c", listed).ids]).toEqual(["c"]);
});

test("everything is selected", () => expect(selectAll(listed).ids.size).toBe(4));
