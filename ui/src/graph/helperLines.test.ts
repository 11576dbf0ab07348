// @vitest-environment node
import { describe, expect, test } from "vitest";
import { snapTo } from "./helperLines";

const box = (x: number, y: number, width = 220, height = 64) => ({ x, y, width, height });

describe("a dragged box lines up", () => {
  // One neighbor at 0, 0, so its stops are 0, 110, 220 across and 0, 32, 64 down.
  test.each([
    ["with a left edge", box(3, 200, 100), { x: -3, y: 0 }, ["x 0"]],
    ["with a center", box(62, 200, 100), { x: -2, y: 0 }, ["x 110"]],
    ["with a right edge", box(124, 200, 100), { x: -4, y: 0 }, ["x 220"]],
    ["with a top edge", box(500, -5, 220, 40), { x: 0, y: 5 }, ["y 0"]],
    ["with a middle", box(500, 13, 220, 40), { x: 0, y: -1 }, ["y 32"]],
    ["with a bottom edge", box(500, 27, 220, 40), { x: 0, y: -3 }, ["y 64"]],
    ["on both axes", box(-4, 4, 100, 40), { x: 4, y: -4 }, ["x 0", "y 0"]],
    ["with nothing too far away", box(9, 200), { x: 0, y: 0 }, []],
    ["with no edge of another kind", box(222, 200, 100), { x: 0, y: 0 }, []],
  ])("%s", (_, dragged, by, guides) => {
    const snap = snapTo(dragged, [box(0, 0)], 5);
    expect(snap.by).toEqual(by);
    expect(snap.lines.map(({ axis, at }) => `${axis} ${at}`)).toEqual(guides);
  });

  test("with the nearest of several neighbors", () => {
    expect(snapTo(box(4, 300), [box(0, 0), box(6, 600)], 5).by).toEqual({ x: 2, y: 0 });
  });

  test("and the guide spans both boxes", () => {
    const { lines } = snapTo(box(2, 200, 220, 50), [box(0, 0), box(900, 900)], 5);
    expect(lines).toEqual([
      { axis: "x", at: 0, from: 0, to: 250 },
      { axis: "x", at: 110, from: 0, to: 250 },
      { axis: "x", at: 220, from: 0, to: 250 },
    ]);
  });
});
