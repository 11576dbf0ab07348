import { expect, test } from "vitest";
import type { OutputState } from "./OutputReader";
import { positionAt, thumbPlace } from "./scrollbarGeometry";
import { marksPath } from "./scrollbarMarks";

function at(first: number, last: number, size: number, edges: Partial<OutputState> = {}) {
  const visible = { rows: [], top: 0, first, last, rowsBefore: 0, rowsAfter: 0 };
  const state = { phase: "open", error: undefined, jumping: false, ended: true, following: false };
  return { ...state, visible, size, atStart: false, atEnd: false, ...edges } as OutputState;
}

test("the thumb stands for the bytes that are visible", () => {
  expect(thumbPlace(at(250, 500, 1_000), 500)).toEqual({ top: 0.25, height: 0.25 });
});

test("the thumb is large enough to grab, and touches both ends", () => {
  const size = 1e9;
  const { top, height } = thumbPlace(at(5e8, 5e8 + 2_000, size), 480);
  expect(height).toBe(0.05);
  expect(top).toBeCloseTo(0.475, 3);
  expect(thumbPlace(at(0, 2_000, size, { atStart: true }), 480).top).toBe(0);
  expect(thumbPlace(at(size - 3_000, size - 10, size, { atEnd: true }), 480).top).toBe(0.95);
});

test("an output that fits needs no thumb", () => {
  expect(thumbPlace(at(0, 80, 100, { atStart: true, atEnd: true }), 480).height).toBe(1);
  expect(thumbPlace({ ...at(0, 0, 0), visible: undefined }, 480).height).toBe(1);
});

test("the track leads to every position", () => {
  const place = { top: 0, height: 0.2 };
  expect(positionAt(0, place, 1_000)).toBe(0);
  expect(positionAt(0.4, place, 1_000)).toBe(500);
  expect(positionAt(0.8, place, 1_000)).toBe(1_000);
  expect(positionAt(2, place, 1_000)).toBe(1_000);
  expect(positionAt(0.5, { top: 0, height: 1 }, 1_000)).toBe(0);
});

test("marks that would cover each other are drawn once", () => {
  expect(marksPath([0, 1, 2, 500, 1_000], 1_000)).toBe("M0 0.5H1M0 1.5H1M0 250.5H1M0 499.5H1");
  const many = Array.from({ length: 50_000 }, (_, position) => position);
  expect(marksPath(many, 50_000).match(/M/g)).toHaveLength(500);
  expect(marksPath([1], 0)).toBe("");
});
