import { expect, test, vi } from "vitest";
import { FakeSession, makeTextEntry, makeToolCall } from "@/attempt/timelineFixture";
import { pageSize } from "./entryPages";
import { SessionFeed } from "./SessionFeed";

async function opened(session: FakeSession): Promise<SessionFeed> {
  const feed = new SessionFeed(session.read);
  await feed.open();
  return feed;
}

/** Resolves when the entry is loaded. */
function reached(feed: SessionFeed, seq: number): Promise<void> {
  return new Promise((resolve) => {
    const check = () => feed.entry(seq) && resolve();
    feed.subscribe(check);
    check();
  });
}

test("opens a session of 500,000 entries with one page", async () => {
  const session = new FakeSession(500_000);
  const feed = await opened(session);
  expect(feed.state()).toMatchObject({ phase: "open", total: 500_000 });
  expect(session.asked).toEqual([{ from: 0, limit: pageSize, since: null }]);
});

test("fetches each wanted page once", async () => {
  const session = new FakeSession(10_000);
  const feed = await opened(session);
  feed.want([7_000, 7_001]);
  feed.want([7_002]);
  await reached(feed, 7_002);
  feed.want([7_003]);
  expect(session.asked.map(({ from }) => from)).toEqual([0, 7_000]);
});

test("skips pages passed during a quick scroll", async () => {
  const session = new FakeSession(100_000);
  const feed = await opened(session);
  for (let seq = 1_000; seq < 90_000; seq += 1_000) feed.want([seq]);
  await reached(feed, 89_000);
  expect(session.asked.length).toBeLessThan(8);
});

test("keeps a bounded number of pages in memory", async () => {
  const session = new FakeSession(100_000);
  const feed = await opened(session);
  for (let seq = 0; seq < 20_000; seq += pageSize) {
    feed.want([seq]);
    await reached(feed, seq);
  }
  expect(feed.pagesHeld).toBe(80);
  expect(feed.entry(0)).toBeUndefined();
});

test("evicts pages with large outputs first", async () => {
  const megabyte = "x".repeat(1_000_000);
  const session = new FakeSession(5_000, (seq) =>
    seq % pageSize === 0 ? makeTextEntry(seq, megabyte) : makeTextEntry(seq, ""),
  );
  const feed = await opened(session);
  for (let seq = 0; seq < 5_000; seq += pageSize) {
    feed.want([seq]);
    await reached(feed, seq);
  }
  expect(feed.pagesHeld).toBe(24);
});

test("an event fetches only what changed", async () => {
  const session = new FakeSession(120);
  const feed = await opened(session);
  feed.want([100, 119]);
  await reached(feed, 119);
  session.asked.length = 0;

  session.grow(2);
  await feed.refresh();
  await reached(feed, 121);
  expect(feed.state().total).toBe(122);
  expect(session.asked.every(({ since }) => since === 1)).toBe(true);
  expect(feed.entry(100), "unchanged entries stay").toBeDefined();
});

test("an event during a fetch is not lost", async () => {
  const session = new FakeSession(10);
  const feed = await opened(session);
  session.grow(1);
  const first = feed.refresh();
  session.grow(1);
  await feed.refresh();
  await first;
  expect(feed.state().total).toBe(12);
});

test("an incomplete answer is not requested repeatedly", async () => {
  const session = new FakeSession(80, (seq) => makeTextEntry(seq));
  const feed = new SessionFeed(async (range) => {
    const page = await session.read(range);
    return { ...page, entries: page.entries.slice(0, 3) };
  });
  await feed.open();
  feed.want([50, 79]);
  await reached(feed, 52);
  feed.want([50, 79]);
  await Promise.resolve();
  expect(session.asked.length).toBe(2);
});

test("reports a failure and recovers on reopen", async () => {
  const session = new FakeSession(3);
  const read = vi.fn(session.read).mockRejectedValueOnce(new Error("gone"));
  const feed = new SessionFeed(read);
  await feed.open();
  expect(feed.state()).toMatchObject({ phase: "failed", error: { message: "gone" } });
  await feed.open();
  expect(feed.state()).toMatchObject({ phase: "open", total: 3, error: undefined });
});

test("minimap marks outlive evicted pages", async () => {
  const session = new FakeSession(20_000, (seq) =>
    seq === 10 ? makeToolCall(seq, "Bash", "make", { ok: false }) : makeTextEntry(seq),
  );
  const feed = await opened(session);
  for (let seq = pageSize; seq < 8_000; seq += pageSize) {
    feed.want([seq]);
    await reached(feed, seq);
  }
  expect(feed.entry(10)).toBeUndefined();
  expect(feed.marks.onMap(20_000, 100)).toEqual([{ at: 0, kind: "error" }]);
  expect(feed.marks.stretches(20_000, pageSize)).toEqual([{ from: 0, to: 0.4 }]);
});

test("fetches are throttled and include the last event", async () => {
  vi.useFakeTimers();
  const session = new FakeSession(10);
  const feed = new SessionFeed(session.read, 150);
  await feed.open();
  for (let ms = 0; ms < 1_000; ms += 10) {
    session.grow(100);
    void feed.refresh();
    await vi.advanceTimersByTimeAsync(10);
  }
  const reads = session.asked.length;
  expect(reads).toBeLessThan(12);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(feed.state().total).toBe(session.total);
  expect(feed.state().grown).toBe(true);
  vi.useRealTimers();
});
