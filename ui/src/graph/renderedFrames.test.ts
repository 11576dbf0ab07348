// @vitest-environment node
import { expect, test } from "vitest";
import type { Group } from "@/api/bindings";
import type { Frame } from "./frames";
import { selectRenderedFrames } from "./renderedFrames";

const frames: Frame[] = Array.from({ length: 100 }, (_, at) => {
  const group: Group = { id: `g${at}`, title: "", color: "gray", nodes: [`n${at}`] };
  return { group, box: { x: at * 1_000, y: 0, width: 500 + at, height: 500 } };
});
const nowhere = new Map();
const near = { region: { x: 900, y: 0, width: 2_000, height: 900 }, overview: false };
const ids = (some: readonly Frame[]) => some.map(({ group }) => group.id);

test("zoomed in, the frames in view are elements, and nothing is painted", () => {
  const { frames: elements, canvasFrames } = selectRenderedFrames(frames, frames, nowhere, near);
  expect(ids(elements)).toEqual(["g1", "g2"]);
  expect(canvasFrames).toEqual([]);
});

test("zoomed out, all frames are painted, and the largest take the pointer", () => {
  const far = { ...near, overview: true };
  const { frames: elements, canvasFrames } = selectRenderedFrames(frames, frames, nowhere, far);
  expect(canvasFrames).toEqual(frames);
  expect(elements.length).toBe(60);
  expect(ids(elements)).toContain("g99");
});

test("a frame being moved is not painted at its old place", () => {
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
