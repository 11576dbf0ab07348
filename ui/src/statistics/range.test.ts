import { expect, test } from "vitest";
import { isRange, sinceOf } from "./range";

test("a range begins with a whole day and holds today", () => {
  const now = new Date(2026, 10, 21, 15, 30).getTime();
  expect(sinceOf("7d", now)).toBe(new Date(2026, 10, 15).getTime());
  expect(sinceOf("30d", now)).toBe(new Date(2026, 9, 23).getTime());
  expect(sinceOf("all", now)).toBeNull();
});

test("the begin stays the same all day, so that nothing is read anew", () => {
  const at = (hour: number) => sinceOf("90d", new Date(2026, 10, 21, hour).getTime());
  expect(at(0)).toBe(at(23));
});

test("a word from an address is judged", () => {
  expect(isRange("30d")).toBe(true);
  for (const word of [null, "", "31d"]) expect(isRange(word)).toBe(false);
});
