// @vitest-environment node
import { expect, test } from "vitest";
import { wholePlan } from "@/plan/largePlanFixture";
import { type CanvasViewport, computeRenderWindow, visibleArea } from "./renderWindow";
import { createScene } from "./scene";

const scene = createScene(wholePlan(10_000), new Map());
const near: CanvasViewport = { x: -3_000, y: -1_000, zoom: 1, width: 1_440, height: 900 };

test("the visible area follows from position and zoom", () => {
  expect(visibleArea({ x: 100, y: -50, zoom: 0.5, width: 400, height: 300 })).toEqual({
    x: -200,
    y: 100,
    width: 800,
    height: 600,
  });
});

test("a small move keeps the elements, a large one replaces them", () => {
  const first = computeRenderWindow(scene, near);
  expect(first.overview).toBe(false);
  expect(computeRenderWindow(scene, { ...near, x: near.x - 100 }, first)).toBe(first);
  const moved = computeRenderWindow(scene, { ...near, x: near.x - 300 }, first);
  expect(moved.region.x).toBeGreaterThan(first.region.x);
});

test("elements of a wide view are dropped when little of it is visible", () => {
  const wide = computeRenderWindow(scene, { ...near, zoom: 0.8 });
  expect(
    computeRenderWindow(scene, { ...near, x: near.x * 2.5, y: near.y * 2.5, zoom: 2 }, wide),
  ).not.toBe(wide);
});

test("too many nodes are painted, and stay painted until the view rests", () => {
  const whole = { ...near, x: 0, y: 0, zoom: 0.1 };
  const far = computeRenderWindow(scene, whole);
  expect(far.overview).toBe(true);
  expect(
    computeRenderWindow(scene, { ...whole, x: 500 }, far),
    "a painted plan needs no new region",
  ).toBe(far);
  expect(computeRenderWindow(scene, near, far, false).overview).toBe(true);
  expect(computeRenderWindow(scene, near, far, true).overview).toBe(false);
});

test("a move across the limit does not toggle back and forth", () => {
  // 24 columns of 7 rows are in view: a few more than the limit for elements at this zoom.
  const many: CanvasViewport = { x: 0, y: -50, zoom: 0.25, width: 1_680, height: 160 };
  const far = computeRenderWindow(scene, many);
  expect(far.overview).toBe(true);
  const fewer = { ...many, width: 1_400 };
  expect(
    computeRenderWindow(scene, fewer).overview,
    "coming from a closer view, it is not too much",
  ).toBe(false);
  expect(computeRenderWindow(scene, fewer, far).overview).toBe(true);
});

test("a plan of up to 200 nodes is always rendered as elements", () => {
  const small = createScene(wholePlan(200), new Map());
  expect(computeRenderWindow(small, { ...near, x: 0, y: 0, zoom: 0.05 }).overview).toBe(false);
});
