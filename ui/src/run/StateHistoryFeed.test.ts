// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { StateHistoryView } from "@/api/bindings";
import { StateHistoryFeed } from "./StateHistoryFeed";
import { courseViewOf, running } from "./stateHistoryFixture";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const whole = courseViewOf(
  ["a"],
  Array.from({ length: 40 }, (_, at) => [at, { a: running }]),
);

function feedOver(read: (after: number) => Promise<StateHistoryView>) {
  const asked = vi.fn(read);
  const feed = new StateHistoryFeed("run", asked);
  const unsubscribe = feed.subscribe(() => undefined);
  return { feed, asked, unsubscribe };
}

const upTo = (seq: number) => async (after: number) => ({
  ...whole,
  seq,
  moments: whole.moments.filter((moment) => moment.seq > after && moment.seq <= seq),
});

test("reads from its last event, and reads events that arrive together once", async () => {
  let last = 10;
  const { feed, asked } = feedOver((after) => upTo(last)(after));
  feed.readUpTo(10);
  await vi.advanceTimersByTimeAsync(0);
  expect(feed.state().stateHistory.moments).toHaveLength(10);
  for (last = 11; last < 40; last += 1) feed.readUpTo(last);
  last = 40;
  feed.readUpTo(40);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked.mock.calls).toEqual([[0], [10]]);
  expect(feed.state().stateHistory.moments).toHaveLength(40);
});

test("reads nothing without subscribers", async () => {
  const { feed, asked, unsubscribe } = feedOver(upTo(40));
  unsubscribe();
  feed.readUpTo(40);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).not.toHaveBeenCalled();
});

test("after a failure nothing is read until a retry", async () => {
  let broken = true;
  const { feed, asked } = feedOver((after) =>
    broken ? Promise.reject(new Error("gone")) : upTo(40)(after),
  );
  feed.readUpTo(40);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(feed.state().error).toBeDefined();
  broken = false;
  feed.retry();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(feed.state().stateHistory.seq).toBe(40);
  expect(feed.state().error).toBeUndefined();
});

test("an empty response where events should exist stops reading", async () => {
  const { feed, asked } = feedOver(async () => ({ ...whole, seq: 0, moments: [] }));
  feed.readUpTo(40);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveBeenCalledTimes(1);
});
