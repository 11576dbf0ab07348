// @vitest-environment node
import { expect, test } from "vitest";
import { alignBoxes, alignments, boundingBox, distributeBoxes } from "./align";
import type { Rectangle } from "./geometry";

const box = (x: number, y: number, width = 220, height = 64): Rectangle => ({
  x,
  y,
  width,
  height,
});
const boxes = new Map([
  ["a", box(0, 0)],
  ["b", box(100, 200)],
  ["c", box(40, 500, 100, 40)],
]);

test.each([
  ["left", { b: [0, 200], c: [0, 500] }],
  ["right", { a: [100, 0], c: [220, 500] }],
  ["center", { a: [52, 0], b: [52, 200], c: [112, 500] }],
  ["top", { b: [100, 0], c: [40, 0] }],
  ["bottom", { a: [0, 476], b: [100, 476] }],
  ["middle", { a: [0, 240], b: [100, 240], c: [40, 252] }],
] as const)("align %s", (alignment, expected) => {
  const places = alignBoxes(boxes, alignment);
  const said = Object.fromEntries([...places].map(([id, { x, y }]) => [id, [x, y]]));
  expect(said).toEqual(expected);
});

test("aligned boxes stay in place", () => {
  for (const alignment of alignments) {
    const places = alignBoxes(boxes, alignment);
    const after = new Map([...boxes].map(([id, old]) => [id, { ...old, ...places.get(id) }]));
    expect(alignBoxes(after, alignment).size, alignment).toBe(0);
  }
});

test("gaps become equal between the outermost boxes, in their current order", () => {
  const row = new Map([
    ["c", box(900, 0)],
    ["a", box(0, 8)],
    ["b", box(300, 4, 100)],
  ]);
  expect([...distributeBoxes(row, "across")]).toEqual([["b", { x: 512, y: 4 }]]);
  expect(distributeBoxes(new Map([...row].slice(0, 2)), "across").size).toBe(0);
  const column = new Map([...boxes].map(([id, old]) => [id, { ...old, x: 0 }]));
  expect([...distributeBoxes(column, "down")]).toEqual([["b", { x: 0, y: 252 }]]);
});

test("the bounding box of nothing is undefined", () => {
  expect(boundingBox([])).toBeUndefined();
  expect(alignBoxes(new Map(), "left").size).toBe(0);
});
