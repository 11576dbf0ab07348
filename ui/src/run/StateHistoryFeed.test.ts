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
  const leave = feed.subscribe(() => undefined);
  return { feed, asked, leave };
}

const upTo = (seq: number) => async (after: number) => ({
  ...whole,
  seq,
  moments: whole.moments.filter((moment) => moment.seq > after && moment.seq <= seq),
});

test("it reads on from where it is, and news that come together are read once", async () => {
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

test("nobody who left is read for", async () => {
  const { feed, asked, leave } = feedOver(upTo(40));
  leave();
  feed.readUpTo(40);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).not.toHaveBeenCalled();
});

test("after a failure it waits to be asked again", async () => {
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

test("an answer with nothing new where something should be ends the asking", async () => {
  const { feed, asked } = feedOver(async () => ({ ...whole, seq: 0, moments: [] }));
  feed.readUpTo(40);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveBeenCalledTimes(1);
});
