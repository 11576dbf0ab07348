// @vitest-environment node
import { expect, test } from "vitest";
import { attemptBars, concurrencyOverTime, peakConcurrency } from "./attemptBars";
import { asks, done, failed, retries, running, stateHistoryOf } from "./stateHistoryFixture";

const slot = { state: "waiting", for: { kind: "slot" } } as const;

test("attempts are bars in their end state, with waits between them", () => {
  const stateHistory = stateHistoryOf(
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
  const bars = attemptBars(stateHistory, 0);
  expect(bars.map(({ attempt, from, to, state }) => [attempt, from, to, state])).toEqual([
    [1, 1, 5, "failed"],
    [1, 5, 9, "waiting"],
    [2, 10, 21, "done"],
  ]);
  expect(bars[2]?.segments.map(({ kind, from, to }) => [kind, from, to])).toEqual([
    ["work", 10, 12],
    ["person", 12, 20],
    ["work", 20, 21],
  ]);
});

test("an active attempt has no end, and a node that never started has no bar", () => {
  const stateHistory = stateHistoryOf(
    ["a", "b", "c"],
    [
      [1, { a: running }],
      [2, { b: asks }],
    ],
  );
  expect(attemptBars(stateHistory, 0)).toEqual([
    {
      attempt: 1,
      from: 1,
      to: undefined,
      state: "running",
      segments: [{ kind: "work", from: 1, to: undefined }],
    },
  ]);
  expect(attemptBars(stateHistory, 1)[0]?.state).toBe("waiting");
  expect(attemptBars(stateHistory, 2)).toEqual([]);
});

test("concurrency counts active sessions, not waits for a person", () => {
  const stateHistory = stateHistoryOf(
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
  const steps = concurrencyOverTime(
    stateHistory.nodes.map((_, place) => attemptBars(stateHistory, place)),
  );
  expect(steps).toEqual([
    { at: 0, count: 1 },
    { at: 2, count: 3 },
    { at: 4, count: 2 },
    { at: 6, count: 0 },
    { at: 8, count: 1 },
  ]);
  expect(peakConcurrency(steps)).toBe(3);
  expect(peakConcurrency([])).toBe(0);
});
