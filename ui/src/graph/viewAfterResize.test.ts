// @vitest-environment node
import { expect, test } from "vitest";
import { isBannerChange, viewAfterBanner } from "./viewAfterResize";

const box = { top: 80, left: 48, right: 1_000, bottom: 700 };

test.each([
  [{ top: 120 }, true],
  [{ top: 40 }, true],
  [{ bottom: 400 }, false],
  [{ right: 700 }, false],
  [{ top: 120, bottom: 740 }, false],
  [{}, false],
])("a banner moves only the upper edge: %j", (change, expected) => {
  expect(isBannerChange(box, { ...box, ...change })).toBe(expected);
});

test("nodes stay where they are when a banner appears and goes away", () => {
  const [view, lower] = [
    { x: 10, y: 20, zoom: 0.5 },
    { ...box, top: 120 },
  ];
  const shown = viewAfterBanner(view, box, lower);
  // A node's place in the window: the edge of the canvas, plus the offset of the view.
  expect(shown.y + lower.top).toBe(view.y + box.top);
  expect(viewAfterBanner(shown, lower, box)).toEqual(view);
});
