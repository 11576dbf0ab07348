import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { formatDuration, formatElapsed, formatRunning, parseDuration } from "./duration";

/** The Rust code is tested with the same table, so that window and shell format durations alike. */
const file = path.resolve(import.meta.dirname, "../../../tests/fixtures/durations.json");
const table: Record<"exact" | "elapsed", [number, string][]> = JSON.parse(
  readFileSync(file, "utf8"),
);

test.each(table.exact)("a limit of %d ms is shown as it was given, %s", (span, words) => {
  expect(formatDuration(span)).toBe(words);
});

test.each(table.elapsed)("a measured span of %d ms is rounded down to %s", (span, words) => {
  expect(formatElapsed(span)).toBe(words);
});

test.each([-1, Number.NaN])("%d ms is not a duration", (span) => {
  expect(formatElapsed(span)).toBe("unknown");
});

test("fractions of a millisecond are not shown", () => {
  expect(formatElapsed(849.6)).toBe("849 ms");
});

test("parses durations as people write them", () => {
  const spans: [string, number | undefined][] = [
    ["30 min", 1_800_000],
    ["90 s", 90_000],
    ["90", 90_000],
    ["1h30m", 5_400_000],
    ["1.5 h", 5_400_000],
    ["250 ms", 250],
    ["2 Days", 172_800_000],
    ["", undefined],
    ["0", undefined],
    ["-5 s", undefined],
    ["soon", undefined],
    ["5 fortnights", undefined],
    ["1e99", undefined],
  ];
  for (const [text, milliseconds] of spans) expect(parseDuration(text), text).toBe(milliseconds);
});

test("a duration round-trips through formatting and parsing", () => {
  for (const [span, words] of table.exact.slice(1)) expect(parseDuration(words)).toBe(span);
  for (const span of [1, 999, 61_001, 90_061_001]) {
    expect(parseDuration(formatDuration(span))).toBe(span);
  }
});

test.each([
  [-5, "0 s"],
  [39, "0 s"],
  [1_900, "1 s"],
  [12_400, "12 s"],
  [64_900, "1m 04s"],
])("what has been running for %i ms is shown in whole seconds: %s", (ms, text) => {
  expect(formatRunning(ms)).toBe(text);
});
