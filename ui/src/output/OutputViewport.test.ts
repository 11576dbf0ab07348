import { expect, test } from "vitest";
import { OutputRows } from "./OutputRows";
import { OutputViewport } from "./OutputViewport";
import { FakeOutput } from "./outputFixture";

const rowHeight = 20;
const height = 100;

function open(total: number, from = 0, count = total) {
  const fake = new FakeOutput(total);
  const rows = new OutputRows();
  const anchor = { kind: "position", position: from * fake.bytesPerRow } as const;
  rows.add(fake.window({ anchor, before: 0, after: count }));
  const viewport = new OutputViewport();
  viewport.resize(height, rowHeight);
  viewport.show(rows, anchor.position, "top");
  /** The first visible row and how much of it is hidden. */
  const place = () => [viewport.anchor.position / fake.bytesPerRow, viewport.anchor.offset];
  return { fake, rows, viewport, place };
}

test("scrolls by pixels and stops at both ends", () => {
  const { rows, viewport, place } = open(100);
  expect(viewport.scrollBy(rows, 50)).toBe(0);
  expect(place()).toEqual([2, 10]);
  expect(viewport.scrollBy(rows, -15)).toBe(0);
  expect(place()).toEqual([1, 15]);
  expect(viewport.scrollBy(rows, -100)).toBe(-65);
  expect(place()).toEqual([0, 0]);
  expect(viewport.isAtStart(rows)).toBe(true);
  expect(viewport.scrollBy(rows, 1e6)).toBe(1e6 - 95 * rowHeight);
  expect(place()).toEqual([95, 0]);
  expect(viewport.isAtEnd(rows)).toBe(true);
  expect(viewport.scrollBy(rows, 1)).toBe(1);
});

test("stops at the edge of what was read without claiming that it is the end", () => {
  const { rows, viewport, place } = open(1_000_000, 500_000, 50);
  viewport.scrollBy(rows, 1e6);
  expect(place()).toEqual([500_045, 0]);
  expect(viewport.isAtEnd(rows)).toBe(false);
  viewport.scrollBy(rows, -1e6);
  expect(place()).toEqual([500_000, 0]);
  expect(viewport.isAtStart(rows)).toBe(false);
});

test("renders the visible rows and some around them", () => {
  const { fake, rows, viewport } = open(100);
  viewport.scrollBy(rows, 50);
  const visible = viewport.visible(rows, 2);
  expect(visible?.rows.map(({ position }) => position / fake.bytesPerRow)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ]);
  expect(visible).toMatchObject({ top: -50, rowsBefore: 2, rowsAfter: 92 });
  expect([visible?.first, visible?.last]).toEqual([2 * 20, 7 * 20]);
});

test("shows a row at the top, in the middle, or where it is", () => {
  const { rows, viewport, place } = open(100);
  viewport.show(rows, 40 * 20, "top");
  expect(place()).toEqual([40, 0]);
  viewport.show(rows, 42 * 20, "nearest");
  expect(place(), "it is visible").toEqual([40, 0]);
  viewport.show(rows, 60 * 20, "nearest");
  expect(place(), "it is in the middle").toEqual([58, 0]);
  viewport.show(rows, 99 * 20, "center");
  expect(place(), "nothing follows the end").toEqual([95, 0]);
  viewport.toStart(rows);
  expect(place()).toEqual([0, 0]);
  viewport.toEnd(rows);
  expect(place()).toEqual([95, 0]);
});

test("an output shorter than the viewport stays at the top", () => {
  const { rows, viewport, place } = open(3);
  viewport.toEnd(rows);
  expect(place()).toEqual([0, 0]);
  expect(viewport.scrollBy(rows, 10)).toBe(10);
  expect([viewport.isAtStart(rows), viewport.isAtEnd(rows)]).toEqual([true, true]);
});

test("rows that are read elsewhere move nothing", () => {
  const { fake, rows, viewport, place } = open(1_000_000, 500_000, 50);
  viewport.scrollBy(rows, 45);
  const before = viewport.visible(rows, 0);
  rows.add(
    fake.window({ anchor: { kind: "position", position: 500_000 * 20 }, before: 300, after: 300 }),
  );
  expect(place()).toEqual([500_002, 5]);
  expect(viewport.visible(rows, 0)).toMatchObject({ top: before?.top, first: before?.first });
});

test("wrapped rows are as high as they are measured", () => {
  const { rows, viewport, place } = open(100);
  viewport.setWrapped(true);
  expect(viewport.measure(2 * 20, 60)).toBe(true);
  expect(viewport.measure(2 * 20, 60)).toBe(false);
  expect(viewport.visible(rows, 0)?.rows).toHaveLength(3);
  viewport.scrollBy(rows, 90);
  expect(place()).toEqual([2, 50]);
  viewport.measure(0, 200);
  expect(place(), "rows above move nothing").toEqual([2, 50]);
  viewport.scrollBy(rows, -50);
  viewport.scrollBy(rows, -20);
  expect(place()).toEqual([1, 0]);
  viewport.scrollBy(rows, -200);
  expect(place()).toEqual([0, 0]);
  viewport.measure(99 * 20, 300);
  viewport.toEnd(rows);
  expect(place(), "a row higher than the viewport shows its end").toEqual([99, 200]);
  viewport.setWrapped(false);
  viewport.clamp(rows);
  expect(place()).toEqual([95, 0]);
});

test("a larger viewport leaves no room below the end", () => {
  const { rows, viewport, place } = open(100);
  viewport.toEnd(rows);
  viewport.resize(200, rowHeight);
  viewport.clamp(rows);
  expect(place()).toEqual([90, 0]);
});

test("nothing is visible before the rows were read", () => {
  const viewport = new OutputViewport();
  const rows = new OutputRows();
  viewport.resize(height, rowHeight);
  expect(viewport.visible(rows, 5)).toBeUndefined();
  expect(viewport.scrollBy(rows, 10)).toBe(10);
  viewport.clamp(rows);
  viewport.toEnd(rows);
  expect(viewport.isAtEnd(rows)).toBe(false);
});
