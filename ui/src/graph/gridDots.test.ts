// @vitest-environment node
import { expect, test } from "vitest";
import { dotPattern } from "./gridDots";

test.each([
  [2, 48],
  [1, 24],
  [0.7, 16.8],
  [0.5, 24],
  [0.1, 19.2],
])("at zoom %f the dots are %f pixels apart", (zoom, gap) => {
  expect(dotPattern([0, 0, zoom]).gap).toBeCloseTo(gap);
});

test.each([
  [0, 0, 1],
  [37, -512, 0.42],
  [-90_000.5, 12, 0.05],
  [19.999, 3, 1.7],
] as const)(
  "a view at %f, %f, %f has a dot at the plan's origin and none missing",
  (x, y, zoom) => {
    const pattern = dotPattern([x, y, zoom]);
    for (const [at, origin] of [
      [pattern.x, x],
      [pattern.y, y],
    ] as const) {
      expect(at).toBeGreaterThanOrEqual(-pattern.gap);
      expect(at).toBeLessThanOrEqual(0);
      const gaps = (origin - at) / pattern.gap;
      expect(gaps).toBeCloseTo(Math.round(gaps), 6);
    }
  },
);
