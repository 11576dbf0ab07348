// @vitest-environment node
import { expect, test } from "vitest";
import { barsOf, mostAtOnce, widthOver } from "./bars";
import { asks, courseOf, done, failed, retries, running } from "./courseFixture";

const slot = { state: "waiting", for: { kind: "slot" } } as const;

test("attempts are bars in the state of their end, with what lay between", () => {
  const course = courseOf(
    ["a"],
    [
      [0, { a: slot }],
      [1, { a: running }],
      [5, { a: retries }],
      [9, { a: { state: "pending" } }],
      [9, { a: slot }],
      [10, { a: running }],
      [12, { a: asks }],
      [20, { a: running }],
      [21, { a: done }],
    ],
  );
  const bars = barsOf(course, 0);
  expect(bars.map(({ attempt, from, to, state }) => [attempt, from, to, state])).toEqual([
    [1, 1, 5, "failed"],
    [1, 5, 9, "waiting"],
    [2, 10, 21, "done"],
  ]);
  expect(bars[2]?.stretches.map(({ going, from, to }) => [going, from, to])).toEqual([
    ["work", 10, 12],
    ["person", 12, 20],
    ["work", 20, 21],
  ]);
});

test("what goes on has no end, and what never began has no bar", () => {
  const course = courseOf(
    ["a", "b", "c"],
    [
      [1, { a: running }],
      [2, { b: asks }],
    ],
  );
  expect(barsOf(course, 0)).toEqual([
    {
      attempt: 1,
      from: 1,
      to: undefined,
      state: "running",
      stretches: [{ going: "work", from: 1, to: undefined }],
    },
  ]);
  expect(barsOf(course, 1)[0]?.state).toBe("waiting");
  expect(barsOf(course, 2)).toEqual([]);
});

test("the width counts sessions at work, not waits for a person", () => {
  const course = courseOf(
    ["a", "b", "c"],
    [
      [0, { a: running }],
      [2, { b: running }],
      [2, { c: running }],
      [4, { a: asks }],
      [6, { b: failed }],
      [6, { c: done }],
      [8, { a: running }],
    ],
  );
  const steps = widthOver(course.nodes.map((_, place) => barsOf(course, place)));
  expect(steps).toEqual([
    { at: 0, count: 1 },
    { at: 2, count: 3 },
    { at: 4, count: 2 },
    { at: 6, count: 0 },
    { at: 8, count: 1 },
  ]);
  expect(mostAtOnce(steps)).toBe(3);
  expect(mostAtOnce([])).toBe(0);
});
