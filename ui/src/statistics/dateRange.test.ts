import { expect, test } from "vitest";
import { isDateRange, rangeStart } from "./dateRange";

test("a range starts at the beginning of a day and includes today", () => {
  const now = new Date(2026, 10, 21, 15, 30).getTime();
  expect(rangeStart("7d", now)).toBe(new Date(2026, 10, 15).getTime());
  expect(rangeStart("30d", now)).toBe(new Date(2026, 9, 23).getTime());
  expect(rangeStart("all", now)).toBeNull();
});

test("the range start is stable during a day", () => {
  const at = (hour: number) => rangeStart("90d", new Date(2026, 10, 21, hour).getTime());
  expect(at(0)).toBe(at(23));
});

test("validates a range from the URL", () => {
  expect(isDateRange("30d")).toBe(true);
  for (const word of [null, "", "31d"]) expect(isDateRange(word)).toBe(false);
});
