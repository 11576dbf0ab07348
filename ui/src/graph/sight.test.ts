// @vitest-environment node
import { expect, test } from "vitest";
import { wholePlan } from "@/plan/largePlanFixture";
import { sceneOf } from "./scene";
import { inView, sightOf, type View } from "./sight";

const scene = sceneOf(wholePlan(10_000), new Map());
const near: View = { x: -3_000, y: -1_000, zoom: 1, width: 1_440, height: 900 };

test("the part in view follows from place and zoom", () => {
  expect(inView({ x: 100, y: -50, zoom: 0.5, width: 400, height: 300 })).toEqual({
    x: -200,
    y: 100,
    width: 800,
    height: 600,
  });
});

test("a small move keeps the elements, a large one makes others", () => {
  const first = sightOf(scene, near);
  expect(first.far).toBe(false);
  expect(sightOf(scene, { ...near, x: near.x - 100 }, first)).toBe(first);
  const moved = sightOf(scene, { ...near, x: near.x - 300 }, first);
  expect(moved.region.x).toBeGreaterThan(first.region.x);
});

test("elements of a wide view are given up when little of them is seen", () => {
  const wide = sightOf(scene, { ...near, zoom: 0.8 });
  expect(sightOf(scene, { ...near, x: near.x * 2.5, y: near.y * 2.5, zoom: 2 }, wide)).not.toBe(
    wide,
  );
});

test("what is too much for elements is drawn, and stays drawn until the view rests", () => {
  const whole = { ...near, x: 0, y: 0, zoom: 0.1 };
  const far = sightOf(scene, whole);
  expect(far.far).toBe(true);
  expect(sightOf(scene, { ...whole, x: 500 }, far), "a drawing needs no other region").toBe(far);
  expect(sightOf(scene, near, far, false).far).toBe(true);
  expect(sightOf(scene, near, far, true).far).toBe(false);
});

test("a move across the limit does not swap to and fro", () => {
  // 24 columns of 7 rows are in view: a few more than may be elements at this zoom.
  const many: View = { x: 0, y: -50, zoom: 0.25, width: 1_680, height: 160 };
  const far = sightOf(scene, many);
  expect(far.far).toBe(true);
  const fewer = { ...many, width: 1_400 };
  expect(sightOf(scene, fewer).far, "for somebody who comes from nearby it is not too much").toBe(
    false,
  );
  expect(sightOf(scene, fewer, far).far).toBe(true);
});

test("a plan of up to 200 nodes is made of elements from everywhere", () => {
  const small = sceneOf(wholePlan(200), new Map());
  expect(sightOf(small, { ...near, x: 0, y: 0, zoom: 0.05 }).far).toBe(false);
});
