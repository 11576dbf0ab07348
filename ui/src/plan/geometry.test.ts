// @vitest-environment node
import { expect, test } from "vitest";
import { findFreePosition, neighbor, snapToGrid } from "./geometry";
import { planOf } from "./planFixture";

const places = new Map([
  ["right", { x: 300, y: 0 }],
  ["far right", { x: 600, y: 0 }],
  ["aslant", { x: 290, y: 400 }],
  ["below", { x: 0, y: 90 }],
]);
const here = { x: 0, y: 0 };

test("arrow keys prefer nodes straight ahead", () => {
  expect(neighbor(here, "right", places)).toBe("right");
  expect(neighbor(here, "down", places)).toBe("below");
  expect(neighbor(here, "left", places)).toBeUndefined();
});

test("a child is preferred over a node that is merely nearby", () => {
  expect(neighbor(here, "right", places, ["aslant"])).toBe("aslant");
});

test("a new node does not cover another", () => {
  const { nodes } = planOf(["a"], []);
  expect(findFreePosition({ x: 10, y: 3 }, nodes)).toEqual({ x: 12, y: 96 });
  expect(findFreePosition({ x: 500, y: 3 }, nodes)).toEqual({ x: 500, y: 4 });
});

test("positions are on the layout's grid", () => {
  expect(snapToGrid({ x: 5, y: -3 })).toEqual({ x: 4, y: -4 });
});
