import { describe, expect, test } from "vitest";
import { formatRelativeTime } from "./time";

const now = Date.UTC(2026, 4, 20, 12);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe("formatRelativeTime", () => {
  test.each([
    [0, "now"],
    [4_999, "now"],
    [12_000, "12 s ago"],
    [59_999, "59 s ago"],
    [minute, "1 min ago"],
    [3 * hour, "3 h ago"],
    [day, "1 day ago"],
    [6 * day, "6 days ago"],
    [7 * day, "May 13"],
    [365 * day, "May 20, 2025"],
    [-5 * minute, "in 5 min"],
  ])("%i ms before now is %s", (distance, words) => {
    expect(formatRelativeTime(now - distance, now)).toBe(words);
  });

  test("an invalid timestamp is unknown", () => {
    expect(formatRelativeTime("yesterday", now)).toBe("unknown");
  });
});
