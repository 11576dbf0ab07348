import { expect, test } from "vitest";
import { OutputRows } from "./OutputRows";
import { FakeOutput } from "./outputFixture";

function read(fake: FakeOutput, rows: OutputRows, index: number, before: number, after: number) {
  const position = index * fake.bytesPerRow;
  rows.add(fake.window({ anchor: { kind: "position", position }, before, after }));
}

const indexesOf = (rows: OutputRows) =>
  rows.segments.map((segment) => [
    (segment.rows[0]?.position ?? 0) / 20,
    (segment.rows.at(-1)?.position ?? 0) / 20,
  ]);

test("windows that share a row become one segment, others stay apart", () => {
  const fake = new FakeOutput(1_000_000);
  const rows = new OutputRows();
  read(fake, rows, 500, 10, 10);
  read(fake, rows, 900, 10, 10);
  expect(indexesOf(rows)).toEqual([
    [490, 509],
    [890, 909],
  ]);
  read(fake, rows, 509, 0, 100);
  read(fake, rows, 700, 200, 200);
  expect(indexesOf(rows)).toEqual([[490, 909]]);
  expect(rows.length).toBe(420);
  const positions = rows.segments[0]?.rows.map((row) => row.position) ?? [];
  expect(positions).toEqual(Array.from({ length: 420 }, (_, at) => (490 + at) * 20));
});

test("a row is found by any position in it, but not in a gap", () => {
  const fake = new FakeOutput(100);
  const rows = new OutputRows();
  read(fake, rows, 10, 0, 10);
  read(fake, rows, 99, 5, 1);
  expect(rows.locate(215)?.index).toBe(0);
  expect(rows.locate(10 * 20)?.index).toBe(0);
  expect(rows.locate(19 * 20)?.index).toBe(9);
  expect(rows.locate(50 * 20)).toBeUndefined();
  expect(rows.locate(0)).toBeUndefined();
  expect(rows.locate(99 * 20 + 19)?.index).toBe(5);
  expect(rows.locate(1e9)?.index, "the last row goes to the end").toBe(5);
});

test("the ends are known", () => {
  const fake = new FakeOutput(100);
  const rows = new OutputRows();
  read(fake, rows, 50, 10, 10);
  expect(rows.segments[0]?.atStart).toBe(false);
  expect(rows.tail()).toBeUndefined();
  read(fake, rows, 50, 50, 50);
  expect(rows.segments[0]?.atStart).toBe(true);
  expect(rows.tail()?.rows).toHaveLength(100);
});

test("growth ends the end, and replaces rows that could change", () => {
  const fake = new FakeOutput(10, (index) => ({ text: `${index} of ${fake.total}` }));
  fake.ended = false;
  fake.openRow = true;
  const rows = new OutputRows();
  read(fake, rows, 0, 0, 100);
  expect(rows.tail()?.rows.at(-1)?.text).toBe("9 of 10");
  fake.total = 15;
  rows.noteSize({ size: fake.size, settled: fake.settled, ended: false });
  expect(rows.tail()).toBeUndefined();
  read(fake, rows, 8, 0, 3);
  expect(rows.segments[0]?.rows.map(({ text }) => text).slice(7)).toEqual([
    "7 of 10",
    "8 of 15",
    "9 of 15",
    "10 of 15",
  ]);
  expect(rows.segments[0]?.atStart).toBe(true);
});

test("rows that may have changed are not kept behind new ones", () => {
  const fake = new FakeOutput(10);
  fake.ended = false;
  fake.openRow = true;
  const rows = new OutputRows();
  read(fake, rows, 0, 0, 100);
  fake.total = 15;
  read(fake, rows, 3, 0, 3);
  expect(indexesOf(rows), "row 9 is unsettled").toEqual([[0, 8]]);
  expect(rows.tail()).toBeUndefined();
});

test("an answer that was overtaken brings only rows that can't have changed", () => {
  const fake = new FakeOutput(10);
  fake.ended = false;
  fake.openRow = true;
  const rows = new OutputRows();
  const late = fake.window({ anchor: { kind: "end" }, before: 5, after: 0 });
  fake.total = 20;
  read(fake, rows, 19, 1, 1);
  rows.add(late);
  expect(indexesOf(rows)).toEqual([
    [5, 8],
    [18, 19],
  ]);
  expect(rows.size).toBe(fake.size);
});

test("rows far away are forgotten first, and the rest keeps its place", () => {
  const fake = new FakeOutput(1_000_000);
  const rows = new OutputRows();
  for (const index of [0, 100_000, 500_000]) read(fake, rows, index, 0, 1_000);
  rows.evict(100_500 * 20, 1_500);
  expect(indexesOf(rows)).toEqual([[100_000, 100_999]]);
  read(fake, rows, 100_999, 0, 2_000);
  rows.evict(102_000 * 20, 1_000);
  expect(rows.length).toBe(1_000);
  expect(rows.locate(102_000 * 20)).toBeDefined();
  read(fake, rows, 0, 0, 100);
  rows.evict(0, 50);
  expect(rows.segments[0]).toMatchObject({ atStart: true, atEnd: false });
});

test("only the visible rows can be kept", () => {
  const rows = new OutputRows();
  read(new FakeOutput(100), rows, 0, 0, 100);
  rows.keepOnly(10 * 20, 19 * 20);
  expect(indexesOf(rows)).toEqual([[10, 19]]);
  expect(rows.segments[0]).toMatchObject({ atStart: false, atEnd: false });
});

test("an empty output has no rows", () => {
  const rows = new OutputRows();
  rows.add(new FakeOutput(0).window({ anchor: { kind: "end" }, before: 10, after: 10 }));
  expect(rows.length).toBe(0);
  expect(rows.tail()).toBeUndefined();
  expect(rows.ended).toBe(true);
});
