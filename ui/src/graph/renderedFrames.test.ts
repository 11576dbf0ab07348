// @vitest-environment node
import { expect, test } from "vitest";
import type { Group } from "@/api/bindings";
import type { Frame } from "./frames";
import { selectRenderedFrames } from "./renderedFrames";

const frames: Frame[] = Array.from({ length: 100 }, (_, at) => {
  const group: Group = { id: `g${at}`, title: "", colour: "grey", nodes: [`n${at}`] };
  return { group, box: { x: at * 1_000, y: 0, width: 500 + at, height: 500 } };
});
const nowhere = new Map();
const near = { region: { x: 900, y: 0, width: 2_000, height: 900 }, overview: false };
const ids = (some: readonly Frame[]) => some.map(({ group }) => group.id);

test("nearby the frames in sight are elements, and nothing is drawn", () => {
  const { frames: elements, canvasFrames } = selectRenderedFrames(frames, frames, nowhere, near);
  expect(ids(elements)).toEqual(["g1", "g2"]);
  expect(canvasFrames).toEqual([]);
});

test("from afar all are drawn, and the largest can be pressed", () => {
  const far = { ...near, overview: true };
  const { frames: elements, canvasFrames } = selectRenderedFrames(frames, frames, nowhere, far);
  expect(canvasFrames).toEqual(frames);
  expect(elements.length).toBe(60);
  expect(ids(elements)).toContain("g99");
});

test("a frame on its way elsewhere is not drawn where it was", () => {
  const far = { ...near, overview: true };
  const { canvasFrames } = selectRenderedFrames(
    frames,
    frames,
    new Map([["n7", { x: 0, y: 0 }]]),
    far,
  );
  expect(canvasFrames.length).toBe(99);
  expect(ids(canvasFrames)).not.toContain("g7");
});

test("all frames of a small plan are elements", () => {
  expect(selectRenderedFrames(frames, frames, nowhere, undefined)).toEqual({
    frames,
    canvasFrames: [],
  });
});
