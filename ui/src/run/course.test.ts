// @vitest-environment node
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { CourseView } from "@/api/bindings";
import { planOf, runOf } from "@/plan/planFixture";
import { emptyCourse, extended, lastAtMost, markOf, momentAt } from "./course";
import { asks, courseOf, done, failed, retries, running, viewOfCourse } from "./courseFixture";
import { runAt } from "./pastRun";

const file = path.resolve(import.meta.dirname, "../../../tests/fixtures/courses/recorded.json");
const recorded: { course: CourseView; words: string[][] } = JSON.parse(readFileSync(file, "utf8"));

test("folded up to any event, a recorded run is what the model says it was", () => {
  const { course, words } = recorded;
  const folded = extended(emptyCourse("run"), course);
  const run = runOf({ ...planOf([], []), nodes: [] }, {});
  words.forEach((expected, before) => {
    const seq = before + 1;
    // Events that change nothing in sight have no moment: the one before them still holds.
    const index = lastAtMost(
      course.moments.map((moment) => moment.seq),
      seq,
    );
    expect(
      runAt(run, folded, index).nodes.map(({ state }) => state.state),
      `after event ${seq}`,
    ).toEqual(expected);
  });
});

test("a course that was read in parts is the one that was read at once", () => {
  const { course } = recorded;
  const half = Math.floor(course.moments.length / 2);
  const parts = [course.moments.slice(0, half), course.moments.slice(half)];
  const grown = parts.reduce(
    (so, moments) => extended(so, { ...course, seq: moments.at(-1)?.seq ?? 0, moments }),
    emptyCourse("run"),
  );
  expect(grown).toEqual(extended(emptyCourse("run"), course));
});

test("a node to which nothing happened keeps its track", () => {
  const view = viewOfCourse(["a", "b"], [[0, { a: running }]]);
  const before = extended(emptyCourse("run"), view);
  const [, ...more] = viewOfCourse(
    ["a", "b"],
    [
      [0, {}],
      [5, { b: running }],
    ],
  ).moments;
  const after = extended(before, { ...view, seq: 2, moments: more });
  expect(after.tracks[0]).toBe(before.tracks[0]);
  expect(after.tracks[1]?.indexes).toEqual([1]);
});

test("the moment of a time is the last one that was not after it", () => {
  const course = courseOf(
    ["a"],
    [
      [10, { a: running }],
      [20, { a: asks }],
      [20, { a: running }],
      [30, { a: done }],
    ],
  );
  expect([0, 10, 19, 20, 29, 99].map((at) => momentAt(course, at))).toEqual([0, 0, 0, 2, 2, 3]);
  expect(momentAt(emptyCourse("run"), 5)).toBe(0);
});

test("what is worth a mark, the gravest first", () => {
  const marks = courseOf(
    ["a", "b"],
    [
      [0, { a: running }],
      [1, { a: retries, b: done }],
      [2, { a: asks, b: running }],
      [3, { a: failed }],
      [4, { b: done }],
      [5, { a: { state: "pending" } }],
    ],
  ).moments.map(markOf);
  expect(marks).toEqual(["start", "failure", "question", "failure", "end", undefined]);
});

test("a run that waits for a review after a takeover asks a person", () => {
  const run = { state: "paused", reason: "taken_over" } as const;
  expect(markOf({ seq: 1, at: 0, run, nodes: [] })).toBe("question");
  expect(markOf({ seq: 1, at: 0, run: { ...run, reason: "asked" }, nodes: [] })).toBeUndefined();
});
