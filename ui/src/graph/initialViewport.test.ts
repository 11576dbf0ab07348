// @vitest-environment node
import { getViewportForBounds } from "@xyflow/react";
import { expect, test } from "vitest";
import type { Plan } from "@/api/bindings";
import { wholePlan } from "@/plan/largePlanFixture";
import { fitPadding, minZoomFor, openingPlace } from "./initialViewport";
import { boundsOf, createScene } from "./scene";

/** Places the nodes of a plan in one row, at this distance from each other. */
function row(plan: Plan, apart: number): Plan {
  const nodes = plan.nodes.map((node, at) => ({ ...node, position: { x: at * apart, y: 0 } }));
  return { ...plan, nodes };
}

test("every plan can be seen whole, however large it is", () => {
  for (const apart of [300, 3_000, 90_000]) {
    const scene = createScene(row(wholePlan(3_000), apart), new Map());
    const bounds = boundsOf(scene) ?? { x: 0, y: 0, width: 0, height: 0 };
    const { zoom } = getViewportForBounds(bounds, 1_000, 700, 0, 1, fitPadding);
    expect(minZoomFor(scene), `${apart} apart`).toBeLessThanOrEqual(zoom);
  }
});

test("a plan that fits keeps the default minimum zoom", () => {
  expect(minZoomFor(createScene(wholePlan(20), new Map()))).toBe(0.02);
  expect(minZoomFor(createScene({ nodes: [], edges: [] }, new Map()))).toBe(0.02);
});

const noBounds = { x: 0, y: 0, width: 0, height: 0 };
const opened = (plan: Plan, showsWhole: boolean, active?: { x: number; y: number }) => {
  const scene = createScene(plan, new Map());
  return openingPlace(scene, boundsOf(scene) ?? noBounds, { showsWhole, active });
};

test("a plan starts at the first node with outgoing but no incoming edges", () => {
  const plan = row(wholePlan(6), 300);
  const ids = plan.nodes.map(({ id }) => id);
  const chain = [4, 3, 2, 1].map((at) => ({ at, to: at - 1 }));
  const edges = chain.map(({ at, to }) => ({
    parent: ids[at] ?? "",
    child: ids[to] ?? "",
    soft: false,
  }));
  expect(opened({ ...plan, edges }, false)).toEqual({ left: 1_200, middle: 32 });
  expect(opened({ ...plan, edges: [] }, false), "no node has outgoing edges").toEqual({
    left: 0,
    middle: 32,
  });
  expect(opened({ ...plan, nodes: [], edges: [] }, false)).toEqual({ left: 0, middle: 0 });
});

test("a plan that is also too high starts at its first node, not at its empty middle", () => {
  const start = wholePlan(2);
  const places = [
    { x: 0, y: 0 },
    { x: 400, y: 3_000 },
  ];
  const nodes = start.nodes.map((node, at) => ({ ...node, position: places[at] ?? null }));
  const plan = { ...start, nodes };
  expect(opened(plan, false).middle).toBe(32);
  expect(opened(plan, true).middle, "all of its height is in view").toBe(1_532);
});

test("the view begins one card before the active node", () => {
  expect(opened(row(wholePlan(6), 300), false, { x: 900, y: 400 })).toEqual({
    left: 680,
    middle: 432,
  });
});
