// @vitest-environment node
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { StateHistoryView } from "@/api/bindings";
import { planOf, runOf } from "@/plan/planFixture";
import { runAtMoment } from "./runAtMoment";
import {
  appendMoments,
  emptyStateHistory,
  lastIndexAtMost,
  momentIndexAt,
  momentMark,
} from "./stateHistory";
import {
  asks,
  courseViewOf,
  done,
  failed,
  retries,
  running,
  stateHistoryOf,
} from "./stateHistoryFixture";

const file = path.resolve(import.meta.dirname, "../../../tests/fixtures/courses/recorded.json");
const recorded: { course: StateHistoryView; words: string[][] } = JSON.parse(
  readFileSync(file, "utf8"),
);

test("a recorded run has the states of the Rust model after every event", () => {
  const { course: stateHistory, words } = recorded;
  const folded = appendMoments(emptyStateHistory("run"), stateHistory);
  const run = runOf({ ...planOf([], []), nodes: [] }, {});
  words.forEach((expected, before) => {
    const seq = before + 1;
    // Events that change no state have no moment: the previous one still applies.
    const index = lastIndexAtMost(
      stateHistory.moments.map((moment) => moment.seq),
      seq,
    );
    expect(
      runAtMoment(run, folded, index).nodes.map(({ state }) => state.state),
      `after event ${seq}`,
    ).toEqual(expected);
  });
});

test("a history read in parts equals one read as a whole", () => {
  const { course: stateHistory } = recorded;
  const half = Math.floor(stateHistory.moments.length / 2);
  const parts = [stateHistory.moments.slice(0, half), stateHistory.moments.slice(half)];
  const grown = parts.reduce(
    (so, moments) => appendMoments(so, { ...stateHistory, seq: moments.at(-1)?.seq ?? 0, moments }),
    emptyStateHistory("run"),
  );
  expect(grown).toEqual(appendMoments(emptyStateHistory("run"), stateHistory));
});

test("a node to which nothing happened keeps its track", () => {
  const view = courseViewOf(["a", "b"], [[0, { a: running }]]);
  const before = appendMoments(emptyStateHistory("run"), view);
  const [, ...more] = courseViewOf(
    ["a", "b"],
    [
      [0, {}],
      [5, { b: running }],
    ],
  ).moments;
  const after = appendMoments(before, { ...view, seq: 2, moments: more });
  expect(after.tracks[0]).toBe(before.tracks[0]);
  expect(after.tracks[1]?.indexes).toEqual([1]);
});

test("the moment of a time is the last one not after it", () => {
  const stateHistory = stateHistoryOf(
    ["a"],
    [
      [10, { a: running }],
      [20, { a: asks }],
      [20, { a: running }],
      [30, { a: done }],
    ],
  );
  expect([0, 10, 19, 20, 29, 99].map((at) => momentIndexAt(stateHistory, at))).toEqual([
    0, 0, 0, 2, 2, 3,
  ]);
  expect(momentIndexAt(emptyStateHistory("run"), 5)).toBe(0);
});

test("a moment has the mark of its most severe change", () => {
  const marks = stateHistoryOf(
    ["a", "b"],
    [
      [0, { a: running }],
      [1, { a: retries, b: done }],
      [2, { a: asks, b: running }],
      [3, { a: failed }],
      [4, { b: done }],
      [5, { a: { state: "pending" } }],
    ],
  ).moments.map(momentMark);
  expect(marks).toEqual(["start", "failure", "question", "failure", "end", undefined]);
});

test("a run that waits for a review after a takeover is marked as a question", () => {
  const run = { state: "paused", reason: "taken_over" } as const;
  expect(momentMark({ seq: 1, at: 0, run, nodes: [] })).toBe("question");
  expect(
    momentMark({ seq: 1, at: 0, run: { ...run, reason: "asked" }, nodes: [] }),
  ).toBeUndefined();
});
