// @vitest-environment node
import { expect, test } from "vitest";
import { centeringOffset, freeOffset } from "./freeOffset";
import { planOf } from "./planFixture";

function cardsAt(...places: [number, number][]) {
  const names = places.map((_, at) => `n${at}`);
  return planOf(names, []).nodes.map((node, at) => {
    const [x = 0, y = 0] = places[at] ?? [];
    return { ...node, position: { x, y } };
  });
}

test("a free place is taken as it is", () => {
  expect(freeOffset({ x: 320, y: 0 }, cardsAt([0, 0]), cardsAt([0, 0]))).toEqual({ x: 320, y: 0 });
});

// One card at 0, 0 is pasted among others.
test.each<[string, [number, number], [number, number][], [number, number]]>([
  [
    "below a row",
    [32, 32],
    [
      [-300, 0],
      [0, 0],
      [300, 0],
    ],
    [32, 92],
  ],
  [
    "above a row",
    [0, -40],
    [
      [-300, 0],
      [0, 0],
      [300, 0],
    ],
    [0, -92],
  ],
  [
    "right of a column",
    [200, 80],
    [
      [0, 0],
      [0, 80],
      [0, 160],
    ],
    [248, 80],
  ],
  [
    "left of a column",
    [-200, 80],
    [
      [0, 0],
      [0, 80],
      [0, 160],
    ],
    [-248, 80],
  ],
  [
    "past a gap that is too small",
    [0, 0],
    [
      [0, 0],
      [0, 110],
      [248, 0],
      [-248, 0],
    ],
    [0, -92],
  ],
])("copies go to the nearest free place, %s", (_, [x, y], places, to) => {
  const offset = freeOffset({ x, y }, cardsAt([0, 0]), cardsAt(...places));
  expect([offset.x, offset.y]).toEqual(to);
});

test("a fragment is kept together, and 10,000 nodes are no obstacle", () => {
  const many = cardsAt(
    ...Array.from({ length: 10_000 }, (_, at): [number, number] => [0, at * 80]),
  );
  const { x, y } = freeOffset({ x: 0, y: 4_000 }, cardsAt([0, 0], [240, 80]), many);
  expect([x, y]).toEqual([248, 4_000]);
});

test("nodes are centered as a whole", () => {
  const added = cardsAt([100, 100], [400, 200]);
  expect(centeringOffset({ x: 0, y: 0 }, added)).toEqual({ x: -360, y: -182 });
  expect(centeringOffset({ x: 9, y: 9 }, [])).toEqual({ x: 0, y: 0 });
});

test("nodes without a position stand in nobody's way", () => {
  const floating = planOf(["a"], []).nodes.map((node) => ({ ...node, position: null }));
  expect(freeOffset({ x: 0, y: 0 }, cardsAt([0, 0]), floating)).toEqual({ x: 0, y: 0 });
  expect(freeOffset({ x: 0, y: 0 }, floating, cardsAt([0, 0]))).toEqual({ x: 0, y: 0 });
});
