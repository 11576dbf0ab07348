// @vitest-environment node
import { expect, test } from "vitest";
import { wholePlan } from "@/plan/largePlanFixture";
import { planOf } from "@/plan/planFixture";
import { createScene, rectangleOf } from "./scene";
import { nodesInBox } from "./useBoxSelection";
import { drawnAt } from "./useHovered";

// Two cards of 220 × 64 at 0,0 and 300,0; the edge between them is at y = 32.
const scene = createScene(planOf(["a", "b"], ["a>b"]), new Map());

test.each([
  ["on a card", { x: 10, y: 10 }, 1, "a", undefined],
  ["on the edge", { x: 260, y: 32 }, 1, undefined, "a>b"],
  ["within the hit distance", { x: 260, y: 39 }, 1, undefined, "a>b"],
  ["too far from it", { x: 260, y: 52 }, 1, undefined, undefined],
  ["the same distance in the plan, zoomed out", { x: 260, y: 52 }, 0.1, undefined, "a>b"],
  ["far away from everything", { x: 260, y: 500 }, 0.1, undefined, undefined],
])("finds the painted item: %s", (_, place, zoom, node, edge) => {
  expect(drawnAt(scene, place, zoom)).toEqual({ node, edge });
});

test("the nearest of several edges is found at every zoom", () => {
  const many = createScene(wholePlan(2_000), new Map());
  for (const line of [0, 17, 900, 1_899]) {
    const { parent, child } = many.lines[line] ?? { parent: 0, child: 0 };
    const [from, to] = [rectangleOf(many, parent), rectangleOf(many, child)];
    const place = { x: (from.x + from.width + to.x) / 2, y: from.y + from.height / 2 };
    expect(drawnAt(many, place, 0.05).edge).toBe(many.lines[line]?.key);
  }
});

test("a box contains what it touches, with the view moved and zoomed", () => {
  const box = { x: 100, y: 42, width: 20, height: 10 };
  expect(nodesInBox(scene, box, [90, 40, 0.1])).toEqual(["a", "b"]);
  expect(nodesInBox(scene, { ...box, width: 5 }, [90, 40, 0.1])).toEqual(["a"]);
  expect(nodesInBox(scene, box, [200, 40, 0.1])).toEqual([]);
});
