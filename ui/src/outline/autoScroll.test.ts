// @vitest-environment node
import { expect, test } from "vitest";
import { autoScrollStep } from "./autoScroll";

const list = { top: 100, bottom: 700 };

test.each<[string, number, number]>([
  ["no scrolling in the middle", 400, 0],
  ["just outside the zone", 149, 0],
  ["at the start of the zone, slowly", 147, -1],
  ["at the upper edge, at full speed", 100, -20],
  ["above the list, no faster", -500, -20],
  ["the lower zone", 676, 10],
  ["below the list", 900, 20],
])("%s", (_, at, step) => {
  expect(autoScrollStep(at, list)).toBe(step);
});

test("a list of two rows still has a middle without scrolling", () => {
  expect(autoScrollStep(132, { top: 100, bottom: 164 })).toBe(0);
});
