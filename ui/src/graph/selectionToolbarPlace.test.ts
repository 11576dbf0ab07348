// @vitest-environment node
import { expect, test } from "vitest";
import { selectionToolbarPlace } from "./selectionToolbarPlace";

const bar = { width: 200, height: 28 };
const view = { x: 0, y: 0, zoom: 1, width: 800, height: 600 };
const box = { x: 300, y: 200, width: 220, height: 64 };

test.each([
  ["above the middle of the selection", box, view, { x: 310, y: 164 }],
  ["at the zoom of the view", box, { ...view, x: 10, y: 20, zoom: 0.5 }, { x: 115, y: 84 }],
  ["below without room above", { ...box, y: 10 }, view, { x: 310, y: 82 }],
  ["within the view at the left", { ...box, x: -150 }, view, { x: 8, y: 164 }],
  ["within the view at the right", { ...box, x: 700 }, view, { x: 592, y: 164 }],
  [
    "inside a selection larger than the view",
    { x: -900, y: -900, width: 3_000, height: 3_000 },
    view,
    { x: 500, y: 8 },
  ],
  ["at the beginning of a narrow view", box, { ...view, width: 400, x: -200 }, { x: 110, y: 164 }],
])("the toolbar is %s", (_, bounds, seen, place) => {
  expect(selectionToolbarPlace(bounds, seen, bar)).toEqual(place);
});

test("a selection out of view has no toolbar", () => {
  expect(selectionToolbarPlace(box, { ...view, x: -5_000 }, bar)).toBeUndefined();
});
