// @vitest-environment node
import { describe, expect, test } from "vitest";
import type { Position } from "@/api/bindings";
import { wholePlan } from "@/plan/largePlanFixture";
import { drawnOn, isWithin, nodesInLasso, piecesOf } from "./lasso";
import { boundsOf, createScene, nodesIn, rectangleOf } from "./scene";

const large = createScene(wholePlan(2_000), new Map());

/** A seeded random number generator. */
function drawnBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const cornersOf = (x: number, y: number, width: number, height: number): Position[] => [
  { x, y },
  { x: x + width, y },
  { x: x + width, y: y + height },
  { x, y: y + height },
];

/** A freehand outline around a center, which bends in and out but never crosses itself. */
function byHand(chance: () => number): Position[] {
  const middle = { x: chance() * 6_000, y: chance() * 3_000 };
  const size = 100 + chance() * 1_500;
  return Array.from({ length: 40 }, (_, step) => {
    const turn = (step / 40) * 2 * Math.PI;
    const reach = size * (0.4 + 0.6 * chance());
    return { x: middle.x + Math.cos(turn) * reach, y: middle.y + Math.sin(turn) * reach };
  });
}

describe("in 60 random outlines", () => {
  test("a rectangular one selects the same nodes as a box", () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const chance = drawnBy(seed);
      const box = {
        x: chance() * 6_000,
        y: chance() * 3_000,
        width: 1 + chance() * 2_000,
        height: 1 + chance() * 1_000,
      };
      const line = cornersOf(box.x, box.y, box.width, box.height);
      expect(nodesInLasso(large, line), `seed ${seed}`).toEqual(nodesIn(large, box));
    }
  });

  test("the start and direction of the outline don't matter", () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const line = byHand(drawnBy(seed));
      const found = nodesInLasso(large, line);
      expect(nodesInLasso(large, [...line].reverse()), `seed ${seed}`).toEqual(found);
      expect(nodesInLasso(large, [...line.slice(7), ...line.slice(0, 7)])).toEqual(found);
    }
  });

  test("a node is selected if its corner, its center or the outline is inside, and only within the bounds", () => {
    let taken = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      const line = byHand(drawnBy(seed));
      const found = new Set(nodesInLasso(large, line));
      const pieces = piecesOf(line);
      taken += found.size;
      for (const number of large.nodes.keys()) {
        const { x, y, width, height } = rectangleOf(large, number);
        const places = [...cornersOf(x, y, width, height), { x: x + width / 2, y: y + height / 2 }];
        const pen = line.some(
          (at) => at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height,
        );
        if (pen || places.some((place) => isWithin(pieces, place)))
          expect(found.has(number), `seed ${seed}, node ${number}`).toBe(true);
      }
      const [xs, ys] = [line.map(({ x }) => x), line.map(({ y }) => y)];
      for (const number of found) {
        const { x, y, width, height } = rectangleOf(large, number);
        expect(x <= Math.max(...xs) && x + width >= Math.min(...xs)).toBe(true);
        expect(y <= Math.max(...ys) && y + height >= Math.min(...ys)).toBe(true);
      }
    }
    expect(taken, "the outlines contained something").toBeGreaterThan(300);
  });
});

test("a long outline around 10,000 nodes is evaluated while drawing", () => {
  const huge = createScene(wholePlan(10_000), new Map());
  const { x, y, width, height } = boundsOf(huge) ?? { x: 0, y: 0, width: 0, height: 0 };
  const line = Array.from({ length: 2_000 }, (_, step) => {
    const turn = (step / 2_000) * 2 * Math.PI;
    const reach = 0.5 + 0.05 * Math.sin(40 * turn);
    return {
      x: x + width * (0.5 + reach * Math.cos(turn)),
      y: y + height * (0.5 + reach * Math.sin(turn)),
    };
  });
  expect(nodesInLasso(huge, line).length).toBeGreaterThan(5_000);
});

test("a concave part of the outline leaves out what is in it", () => {
  const bay = piecesOf([
    { x: 0, y: 0 },
    { x: 1_000, y: 0 },
    { x: 1_000, y: 1_000 },
    { x: 900, y: 1_000 },
    { x: 900, y: 100 },
    { x: 0, y: 100 },
  ]);
  expect(isWithin(bay, { x: 950, y: 900 })).toBe(true);
  expect(isWithin(bay, { x: 400, y: 50 })).toBe(true);
  expect(isWithin(bay, { x: 400, y: 500 })).toBe(false);
});

test("a press without a move selects what is under it, and an empty outline nothing", () => {
  const { x, y } = rectangleOf(large, 3);
  expect(nodesInLasso(large, [{ x: x + 5, y: y + 5 }])).toEqual([3]);
  expect(nodesInLasso(large, [])).toEqual([]);
});

test("a resting pointer adds no points", () => {
  const line = [{ x: 0, y: 0 }];
  expect(drawnOn(line, { x: 2, y: 2 }, 4)).toBe(line);
  expect(drawnOn(line, { x: 4, y: 0 }, 4)).toHaveLength(2);
});
