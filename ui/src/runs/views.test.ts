import { expect, test } from "vitest";
import { defaultRunsQuery } from "./runsQuery";
import {
  addView,
  builtInViews,
  deleteView,
  maxViewName,
  nameProblem,
  parseViews,
  renameView,
  saveProblem,
  viewSearch,
} from "./views";

const slow = { name: "Slow", search: "sort=longest" };

test("the built-in views are links", () => {
  expect(builtInViews).toEqual([
    { name: "All", search: "" },
    { name: "Needs attention", search: "state=paused%2Cstalled%2Cfailed" },
    { name: "Running", search: "state=running" },
    { name: "Last night", search: "period=last_night" },
  ]);
});

test.each<[string, unknown, unknown]>([
  ["nothing", undefined, []],
  ["no list", { name: "a" }, []],
  ["entries of other kinds", [null, 7, "x", { name: 1, search: "" }, slow], [slow]],
  ["two of the same name", [slow, { name: "slow", search: "q=a" }], [slow]],
  ["the name of a built-in view", [{ name: "all", search: "q=a" }], []],
  [
    "unknown values",
    [{ name: "a", search: "state=odd,failed&x=1" }],
    [{ name: "a", search: "state=failed" }],
  ],
])("stored views are validated: %s", (_, stored, expected) => {
  expect(parseViews(stored)).toEqual(expected);
});

test("a name must be new, short and not empty", () => {
  expect(nameProblem(" ", [])).toBe("Enter a name.");
  expect(nameProblem("ALL", [])).toBe("Another view has this name.");
  expect(nameProblem(" slow", [slow])).toBe("Another view has this name.");
  expect(nameProblem("x".repeat(maxViewName + 1), [])).toBeDefined();
  expect(nameProblem("Fast", [slow])).toBeUndefined();
});

test("views are saved, renamed and deleted", () => {
  const query = { ...defaultRunsQuery, text: "a b" };
  const two = addView([slow], { name: " Mine ", search: viewSearch(query) });
  expect(two).toEqual([slow, { name: "Mine", search: "q=a+b" }]);
  expect(renameView(two, "Slow", "Slowest ")[0]).toEqual({ ...slow, name: "Slowest" });
  expect(deleteView(two, "Slow")).toHaveLength(1);
  expect(saveProblem(two)).toBeUndefined();
  expect(saveProblem(Array(50).fill(slow))).toBeDefined();
});
