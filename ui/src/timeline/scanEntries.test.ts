import { expect, test, vi } from "vitest";
import { FakeSession, makeEntry, makeTextEntry } from "@/attempt/timelineFixture";
import { isError } from "./entryFilters";
import { FilterScan } from "./FilterScan";
import { findNext, scanEntries } from "./scanEntries";

const withErrors = (places: number[]) => (seq: number) =>
  places.includes(seq) ? makeEntry(seq, { type: "error", text: "x" }) : makeTextEntry(seq);

const never = new AbortController().signal;

test("finds the next error in either direction", async () => {
  const session = new FakeSession(5_000, withErrors([10, 4_321]));
  const find = (from: number, step: 1 | -1) =>
    findNext(scanEntries(session.read, from, step, 5_000), isError, never, () => {});
  expect(await find(11, 1)).toBe(4_321);
  expect(await find(4_320, -1)).toBe(10);
  expect(await find(4_322, 1)).toBeUndefined();
  expect(await find(9, -1)).toBeUndefined();
  expect(await find(-1, -1), "nothing precedes the first entry").toBeUndefined();
});

test("an aborted search reports nothing", async () => {
  const session = new FakeSession(5_000, withErrors([4_000]));
  const controller = new AbortController();
  const found = findNext(scanEntries(session.read, 0, 1, 5_000), isError, controller.signal, () =>
    controller.abort(),
  );
  expect(await found).toBeUndefined();
  expect(session.asked.length).toBe(2);
});

test("a filter scans the end first, further back on request, and follows new entries", async () => {
  const session = new FakeSession(50_000, withErrors([5, 40_000, 49_999, 50_001]));
  const scan = new FilterScan(session.read, "errors", 50_000);
  await scan.back();
  expect(scan.state()).toMatchObject({ seqs: [40_000, 49_999], scannedFrom: 30_000 });

  session.grow(2);
  await scan.forward(50_002);
  expect(scan.state().seqs).toEqual([40_000, 49_999, 50_001]);

  await scan.back();
  await scan.back();
  expect(scan.state()).toMatchObject({ seqs: [5, 40_000, 49_999, 50_001], scannedFrom: 0 });
});

test("a closed filter stops reading", async () => {
  const session = new FakeSession(50_000);
  const scan = new FilterScan(session.read, "errors", 50_000);
  const listener = vi.fn();
  scan.subscribe(listener);
  const under = scan.back();
  scan.stop();
  await under;
  expect(session.asked.length).toBe(1);
});
