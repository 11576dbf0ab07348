import { expect, test, vi } from "vitest";
import { historyRowsOf } from "./historyFixture";
import { historyPageSize, RunHistoryFeed } from "./RunHistoryFeed";

/** A feed over a history of `length` events, which the test can extend. */
function feedOf(length: number) {
  const history = { length, failing: false };
  const read = vi.fn(async (after: number, limit: number) => {
    if (history.failing) throw new Error("the disk is gone");
    return historyRowsOf(history.length).slice(after, after + limit);
  });
  const feed = new RunHistoryFeed(read);
  const settled = () => vi.waitFor(() => expect(feed.state().reading).toBe(false));
  const seqs = () => feed.state().rows.map(({ seq }) => seq);
  return { feed, history, read, settled, seqs };
}

function countdown(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, at) => from - at);
}

test("reads the end first, earlier events on demand, and nothing twice", async () => {
  const { feed, read, settled, seqs } = feedOf(450);
  feed.readUpTo(450);
  await settled();
  expect(seqs()).toEqual(countdown(450, 251));
  expect(feed.state().more).toBe(true);

  feed.readEarlier();
  feed.readEarlier();
  await settled();
  feed.readEarlier();
  await settled();
  expect(seqs()).toEqual(countdown(450, 1));
  expect(feed.state().more).toBe(false);
  feed.readEarlier();
  expect(read.mock.calls).toEqual([
    [250, historyPageSize],
    [50, historyPageSize],
    [0, 50],
  ]);
});

test("adds new events on top, even more than a page of them", async () => {
  const { feed, history, settled, seqs } = feedOf(3);
  feed.readUpTo(3);
  await settled();
  history.length = 500;
  feed.readUpTo(500);
  await vi.waitFor(() => expect(seqs()).toEqual(countdown(500, 1)));
});

test("reads events that arrive during a read afterward, and ignores old ones", async () => {
  const { feed, history, read, settled, seqs } = feedOf(3);
  feed.readUpTo(3);
  history.length = 4;
  feed.readUpTo(4);
  await settled();
  await vi.waitFor(() => expect(seqs()).toEqual([4, 3, 2, 1]));
  feed.readUpTo(2);
  expect(read.mock.calls.map(([after]) => after)).toEqual([0, 3]);
});

test("after a failure nothing is read until a retry", async () => {
  const { feed, history, read, settled, seqs } = feedOf(3);
  history.failing = true;
  feed.readUpTo(3);
  await settled();
  expect(feed.state().error?.message).toBe("the disk is gone");
  feed.readUpTo(4);
  expect(read).toHaveBeenCalledTimes(1);

  history.failing = false;
  history.length = 4;
  feed.retry();
  await vi.waitFor(() => expect(seqs()).toEqual([4, 3, 2, 1]));
  expect(feed.state().error).toBeUndefined();
});

test("a sequence number beyond the history does not cause endless reads", async () => {
  const { feed, read, settled } = feedOf(3);
  feed.readUpTo(9);
  await settled();
  await vi.waitFor(() => expect(feed.state().reading).toBe(false));
  expect(read.mock.calls.length).toBeLessThanOrEqual(2);
});
