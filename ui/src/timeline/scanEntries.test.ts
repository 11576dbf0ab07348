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
  expect(await find(-1, -1), "before the first entry there is nothing").toBeUndefined();
});

test("an aborted search reports nothing", async () => {
  const session = new FakeSession(5_000, withErrors([4_000]));
  const leaving = new AbortController();
  const found = findNext(scanEntries(session.read, 0, 1, 5_000), isError, leaving.signal, () =>
    leaving.abort(),
  );
  expect(await found).toBeUndefined();
  expect(session.asked.length).toBe(2);
});

test("a filter scans the end first, further back on request, and follows new entries", async () => {
  const session = new FakeSession(50_000, withErrors([5, 40_000, 49_999, 50_001]));
  const looking = new FilterScan(session.read, "errors", 50_000);
  await looking.back();
  expect(looking.state()).toMatchObject({ seqs: [40_000, 49_999], lookedFrom: 30_000 });

  session.grow(2);
  await looking.forward(50_002);
  expect(looking.state().seqs).toEqual([40_000, 49_999, 50_001]);

  await looking.back();
  await looking.back();
  expect(looking.state()).toMatchObject({ seqs: [5, 40_000, 49_999, 50_001], lookedFrom: 0 });
});

test("a closed filter stops reading", async () => {
  const session = new FakeSession(50_000);
  const looking = new FilterScan(session.read, "errors", 50_000);
  const listener = vi.fn();
  looking.subscribe(listener);
  const under = looking.back();
  looking.stop();
  await under;
  expect(session.asked.length).toBe(1);
});
