import { expect, test } from "vitest";
import { RowHeights } from "./RowHeights";

/** A naive implementation to compare the tree with. */
class Walked {
  readonly heights: number[];
  constructor(length: number, usual: number) {
    this.heights = Array(length).fill(usual);
  }
  top(row: number): number {
    return this.heights.slice(0, row).reduce((sum, height) => sum + height, 0);
  }
  rowAt(offset: number): number {
    let row = 0;
    while (row < this.heights.length - 1 && this.top(row + 1) <= offset) row += 1;
    return row;
  }
}

// A generator with a fixed seed, so failures are reproducible.
function* chances(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state;
  }
}

test.each([1, 2, 7, 64, 100])("%i rows match the naive implementation", (length) => {
  const tree = new RowHeights(length, 28);
  const walked = new Walked(length, 28);
  const chance = chances(length);
  const next = (below: number) => chance.next().value % below;
  for (let round = 0; round < 200; round += 1) {
    const row = next(length);
    const height = next(4) === 0 ? 0 : next(300);
    tree.measure(row, height);
    // Changes below half a pixel are ignored; heights here are integers.
    walked.heights[row] = height;
    expect(tree.top(row)).toBe(walked.top(row));
    expect(tree.total).toBe(walked.top(length));
    const offset = next(tree.total + 100);
    expect(tree.rowAt(offset)).toBe(walked.rowAt(offset));
  }
});

test("growing keeps measured heights", () => {
  const heights = new RowHeights(3, 10);
  heights.measure(1, 50);
  heights.grow(1_000);
  expect(heights.top(3)).toBe(70);
  expect(heights.total).toBe(10_040);
  expect(heights.rowAt(10_039)).toBe(999);
});

test("handles 500,000 rows quickly", () => {
  const heights = new RowHeights(500_000, 28);
  for (let row = 0; row < 500_000; row += 50) heights.measure(row, 100);
  expect(heights.total).toBe(500_000 * 28 + 10_000 * 72);
  expect(heights.rowAt(heights.top(400_001))).toBe(400_001);
});
