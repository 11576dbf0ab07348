import { expect, test, vi } from "vitest";
import { entryOf, FakeSession, textOf } from "@/attempt/timelineFixture";
import { isError } from "./entryFacts";
import { FilterScan } from "./FilterScan";
import { findNext, scan } from "./scan";

const withErrors = (places: number[]) => (seq: number) =>
  places.includes(seq) ? entryOf(seq, { type: "error", text: "x" }) : textOf(seq);

const never = new AbortController().signal;

test("the next error is found in either direction, however far away", async () => {
  const session = new FakeSession(5_000, withErrors([10, 4_321]));
  const find = (from: number, step: 1 | -1) =>
    findNext(scan(session.read, from, step, 5_000), isError, never, () => {});
  expect(await find(11, 1)).toBe(4_321);
  expect(await find(4_320, -1)).toBe(10);
  expect(await find(4_322, 1)).toBeUndefined();
  expect(await find(9, -1)).toBeUndefined();
  expect(await find(-1, -1), "before the first entry there is nothing").toBeUndefined();
});

test("a search that was called off tells nothing", async () => {
  const session = new FakeSession(5_000, withErrors([4_000]));
  const leaving = new AbortController();
  const found = findNext(scan(session.read, 0, 1, 5_000), isError, leaving.signal, () =>
    leaving.abort(),
  );
  expect(await found).toBeUndefined();
  expect(session.asked.length).toBe(2);
});

test("a filter looks at the end first, further back when asked, and follows what comes", async () => {
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

test("a filter that was left stops reading", async () => {
  const session = new FakeSession(50_000);
  const looking = new FilterScan(session.read, "errors", 50_000);
  const listener = vi.fn();
  looking.subscribe(listener);
  const under = looking.back();
  looking.stop();
  await under;
  expect(session.asked.length).toBe(1);
});
