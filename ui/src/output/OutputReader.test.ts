import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { OutputWindowView } from "@/api/bindings";
import { OutputReader } from "./OutputReader";
import { FakeOutput } from "./outputFixture";
import type { WindowRange } from "./prefetch";

const rowHeight = 20;
const million = 1_000_000;

/** A reader of a viewport of 10 rows. `settle` lets all requests be answered. */
async function open(fake: FakeOutput, follow = false) {
  const waiting = { now: 0, most: 0 };
  const read = vi.fn(async (range: WindowRange): Promise<OutputWindowView> => {
    waiting.now += 1;
    waiting.most = Math.max(waiting.most, waiting.now);
    await new Promise((resolve) => setTimeout(resolve));
    waiting.now -= 1;
    return fake.window(range);
  });
  const reader = new OutputReader(read);
  reader.resize(200, rowHeight);
  reader.open(follow);
  const settle = () => vi.waitFor(() => expect(isIdle()).toBe(true), { interval: 1 });
  const isIdle = () => waiting.now === 0 && !reader.state().jumping;
  await settle();
  /** The indexes of the first and the last visible row. */
  const seen = () => {
    const { visible } = reader.state();
    return [(visible?.first ?? -20) / 20, (visible?.last ?? -20) / 20];
  };
  return { reader, read, settle, seen, waiting };
}

test("opens at the start and reads ahead", async () => {
  const { reader, read, seen } = await open(new FakeOutput(million));
  expect(seen()).toEqual([0, 9]);
  expect(reader.state()).toMatchObject({ phase: "open", atStart: true, atEnd: false });
  expect(read.mock.calls.length).toBeLessThanOrEqual(3);
  expect(reader.state().visible?.rowsAfter).toBeGreaterThan(100);
});

test("scrolls through a million rows with two requests under way at most", async () => {
  const { reader, settle, seen, waiting } = await open(new FakeOutput(million));
  for (let page = 0; page < 100; page += 1) {
    reader.scrollPage(1);
    await settle();
  }
  expect(seen()).toEqual([900, 909]);
  reader.scrollRows(-3);
  expect(seen()).toEqual([897, 906]);
  expect(waiting.most).toBeLessThanOrEqual(2);
});

test("a fast scroll waits for the rows and then goes on", async () => {
  const { reader, settle, seen } = await open(new FakeOutput(million));
  const last = (reader.rows.segments[0]?.rows.length ?? 0) - 1;
  reader.scrollRows(last);
  expect(seen()[1], "the edge of what was read").toBe(last);
  await settle();
  expect(seen()[0]).toBe(last);
});

test("jumps to the end, the start, a position and a line", async () => {
  const { reader, settle, seen, read } = await open(new FakeOutput(million));
  reader.toEnd();
  expect(reader.state().jumping).toBe(true);
  await settle();
  expect(seen()).toEqual([million - 10, million - 1]);
  expect(reader.state()).toMatchObject({ atEnd: true, following: false });
  const landed = reader.toPosition(500_000 * 20 + 7, "center");
  await settle();
  expect(await landed).toBe(500_000 * 20);
  expect(seen()).toEqual([499_995, 500_005]);
  const line = reader.toLine(700_001);
  await settle();
  expect(await line).toBe(700_000 * 20);
  read.mockClear();
  reader.toStart();
  expect(seen(), "the first rows are still there").toEqual([0, 9]);
});

test("only the latest of several jumps counts", async () => {
  const { reader, settle, seen, read } = await open(new FakeOutput(million));
  read.mockClear();
  const jumps = [1, 2, 3, 4, 5].map((at) => reader.toPosition(at * 100_000 * 20, "top"));
  await settle();
  expect(await Promise.all(jumps)).toEqual([undefined, undefined, undefined, undefined, 1e7]);
  expect(seen()[0]).toBe(500_000);
});

test("keeps at most 20,000 rows", async () => {
  const { reader, settle } = await open(new FakeOutput(million));
  for (let at = 0; at < 150; at += 1) {
    void reader.toPosition(at * 5_000 * 20, "top");
    await settle();
  }
  expect(reader.rows.length).toBeLessThanOrEqual(20_000);
});

test("follows the end as the output grows, until the person scrolls up", async () => {
  const fake = new FakeOutput(1_000);
  fake.ended = false;
  fake.openRow = true;
  const { reader, settle, seen } = await open(fake, true);
  expect(reader.state().following).toBe(true);
  expect(seen()[1]).toBe(999);
  fake.total = 1_500;
  reader.refresh();
  await settle();
  expect(seen()).toEqual([1_490, 1_499]);
  reader.scrollRows(-1);
  expect(reader.state().following).toBe(false);
  fake.total = 2_000;
  reader.refresh();
  await settle();
  expect(seen()).toEqual([1_489, 1_498]);
  expect(reader.state()).toMatchObject({ size: fake.size, atEnd: false });
  reader.toEnd();
  await settle();
  expect(seen()).toEqual([1_990, 1_999]);
  expect(reader.state().following).toBe(true);
});

test("scrolling down to the end of a live output follows again", async () => {
  const fake = new FakeOutput(100);
  fake.ended = false;
  const { reader } = await open(fake, true);
  reader.scrollRows(-50);
  expect(reader.state().following).toBe(false);
  reader.scrollRows(100);
  expect(reader.state().following).toBe(true);
});

test("growth moves nothing while reading, and shows what changed", async () => {
  const fake = new FakeOutput(1_000, (index) => ({ text: `${index}/${fake.total}` }));
  fake.ended = false;
  fake.openRow = true;
  const { reader, settle, seen } = await open(fake);
  reader.toEnd();
  await settle();
  reader.unfollow();
  const before = seen();
  fake.total = 1_001;
  reader.refresh();
  await settle();
  expect(seen()).toEqual(before);
  const texts = reader.state().visible?.rows.map(({ text }) => text) ?? [];
  expect(texts).toContain("997/1000");
  expect(texts.slice(-2), "the last row was not settled").toEqual(["999/1001", "1000/1001"]);
});

test("changes that come during a request are read afterwards", async () => {
  const fake = new FakeOutput(100);
  fake.ended = false;
  const { reader, settle, read } = await open(fake, true);
  read.mockClear();
  for (let at = 0; at < 20; at += 1) {
    fake.total += 10;
    reader.refresh();
  }
  await settle();
  expect(reader.state().size).toBe(fake.size);
  expect(read.mock.calls.length).toBeLessThanOrEqual(4);
});

test("an output without rows is not loading", async () => {
  const fake = new FakeOutput(0);
  const { reader } = await open(fake);
  expect(reader.state()).toMatchObject({ phase: "open", visible: undefined, size: 0, ended: true });
});

test("a failure can be repeated, and does not repeat itself", async () => {
  const fake = new FakeOutput(million);
  const { reader, read, settle, seen } = await open(fake);
  read.mockRejectedValueOnce(new ApiError("internal", "The disk is gone."));
  void reader.toPosition(1e7, "top");
  await settle();
  expect(reader.state().error?.message).toBe("The disk is gone.");
  expect(seen()).toEqual([0, 9]);
  const calls = read.mock.calls.length;
  await settle();
  expect(read.mock.calls.length).toBe(calls);
  reader.retry();
  await settle();
  expect(reader.state()).toMatchObject({ error: undefined, phase: "open" });
});

test("a first request that fails can be repeated", async () => {
  const fake = new FakeOutput(10);
  const read = vi.fn(async (range: WindowRange) => fake.window(range));
  read.mockRejectedValueOnce(new ApiError("not_found", "No such session."));
  const reader = new OutputReader(read);
  reader.resize(200, rowHeight);
  reader.open(false);
  await vi.waitFor(() => expect(reader.state().phase).toBe("failed"));
  reader.retry();
  await vi.waitFor(() => expect(reader.state().phase).toBe("open"));
  expect(reader.state().visible?.first).toBe(0);
});

test("line numbers appear when the lines were counted", async () => {
  const fake = new FakeOutput(million);
  const { reader, settle, seen } = await open(fake);
  void reader.toPosition(1e7, "top");
  await settle();
  expect(reader.state().visible?.rows[0]?.line).toBeNull();
  fake.counted = true;
  reader.reread();
  await settle();
  expect(seen()[0]).toBe(500_000);
  expect(reader.state().visible?.rows.every(({ line }) => line !== null)).toBe(true);
});

test("wrapped rows keep the row at the upper edge", async () => {
  const { reader, settle, seen } = await open(new FakeOutput(million));
  void reader.toPosition(1e7, "top");
  await settle();
  reader.setWrapped(true);
  reader.measure([
    [1e7 - 20, 60],
    [1e7, 100],
  ]);
  expect(seen()).toEqual([500_000, 500_005]);
  reader.scrollBy(-30);
  expect(reader.viewport.anchor).toEqual({ position: 1e7 - 20, offset: 30 });
});
