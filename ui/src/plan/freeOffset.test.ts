// @vitest-environment node
import { expect, test } from "vitest";
import { freeOffset } from "./freeOffset";
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

test("copies are put below what they would cover, however many there are", () => {
  const column = cardsAt([0, 0], [0, 80], [0, 160]);
  const { x, y } = freeOffset({ x: 32, y: 32 }, cardsAt([0, 0]), column);
  expect(x).toBe(32);
  expect(y).toBeGreaterThanOrEqual(160 + 64);
});

test("a fragment is kept together, and 10,000 nodes are no obstacle", () => {
  const many = cardsAt(
    ...Array.from({ length: 10_000 }, (_, at): [number, number] => [0, at * 80]),
  );
  const { y } = freeOffset({ x: 0, y: 0 }, cardsAt([0, 0], [240, 80]), many);
  expect(y).toBeGreaterThanOrEqual(9_999 * 80 + 64);
});

test("nodes without a position stand in nobody's way", () => {
  const floating = planOf(["a"], []).nodes.map((node) => ({ ...node, position: null }));
  expect(freeOffset({ x: 0, y: 0 }, cardsAt([0, 0]), floating)).toEqual({ x: 0, y: 0 });
  expect(freeOffset({ x: 0, y: 0 }, floating, cardsAt([0, 0]))).toEqual({ x: 0, y: 0 });
});
