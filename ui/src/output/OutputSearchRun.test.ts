import { expect, test, vi } from "vitest";
import { maxHits, OutputSearchRun, type ReadHits } from "./OutputSearchRun";
import { FakeOutput } from "./outputFixture";
import { adjacentHit, hitIndex, hitsInRow, searchStatus, startOfRow } from "./searchHits";

const pattern = { kind: "text", text: "needle", caseSensitive: true } as const;

function open(fake: FakeOutput, begin: number) {
  const read = vi.fn<ReadHits>(async (from, limit) =>
    fake.search({ pattern, from, backwards: false, limit }),
  );
  const onProgress = vi.fn();
  return { run: new OutputSearchRun(read, begin * fake.bytesPerRow, onProgress), read, onProgress };
}

const every = (step: number) => (index: number) =>
  index % step === 0 ? { text: `a needle in ${index}` } : {};

test("finds everything, below the viewport first, in the order of the output", async () => {
  const fake = new FakeOutput(1_000_000, every(1_000));
  const { run, onProgress, read } = open(fake, 600_500);
  const seen: (number | undefined)[] = [];
  onProgress.mockImplementation(() => seen.push(run.progress.hits[0]?.row));
  await run.start();
  const { hits, done, more } = run.progress;
  expect(hits.map(({ row }) => row)).toEqual(Array.from({ length: 1_000 }, (_, at) => at * 20_000));
  expect([done, more]).toEqual([true, false]);
  expect(seen[0], "the first page is below the viewport").toBe(601_000 * 20);
  expect(read.mock.calls[0]?.[0]).toBe(600_500 * 20);
});

test("a search without matches reads the output once", async () => {
  const { run, read } = open(new FakeOutput(1_000_000), 500_000);
  await run.start();
  expect(run.progress).toMatchObject({ hits: [], done: true });
  expect(read.mock.calls.length).toBeLessThanOrEqual(8);
});

test("stops at 50,000 matches and says that there are more", async () => {
  const { run } = open(new FakeOutput(200_000, every(1)), 150_000);
  await run.start();
  expect(run.progress).toMatchObject({ done: true, more: true });
  expect(run.progress.hits).toHaveLength(maxHits);
  expect(searchStatus(run.progress, 0)).toBe("1 of 50,000+");
});

test("a canceled search reports nothing", async () => {
  const { run, onProgress, read } = open(new FakeOutput(1_000_000, every(10)), 0);
  const started = run.start();
  run.cancel();
  await started;
  expect(onProgress).not.toHaveBeenCalled();
  expect(read).toHaveBeenCalledTimes(1);
});

test("an error ends the search and keeps what was found", async () => {
  const { run, read } = open(new FakeOutput(1_000_000, every(10)), 0);
  const answer = read.getMockImplementation();
  read.mockImplementation(async (from, limit) => {
    if (from > 0) throw new Error("The expression is invalid.");
    return answer?.(from, limit) as never;
  });
  await run.start();
  expect(run.progress.error?.message).toBe("The expression is invalid.");
  expect(run.progress.hits.length).toBeGreaterThan(0);
  expect(run.progress.done).toBe(true);
});

test("a search continues in what was printed since", async () => {
  const fake = new FakeOutput(100, every(10));
  const { run } = open(fake, 50);
  await run.start();
  expect(run.progress.hits).toHaveLength(10);
  const settled = fake.size - 20;
  fake.total = 200;
  await run.grow(settled);
  expect(run.progress.hits.map(({ row }) => row / 20)).toEqual(
    Array.from({ length: 20 }, (_, at) => at * 10),
  );
});

test("what is printed during a search is searched too", async () => {
  const fake = new FakeOutput(100, every(10));
  const { run, read } = open(fake, 50);
  const answer = read.getMockImplementation();
  read.mockImplementation(async (from, limit) => {
    const hits = await answer?.(from, limit);
    if (from === 0 && fake.total === 100) {
      fake.total = 200;
      void run.grow(100 * 20);
    }
    return hits as never;
  });
  await run.start();
  expect(run.progress.hits).toHaveLength(20);
});

const hits = [
  { row: 20, start: 1, end: 2 },
  { row: 20, start: 5, end: 6 },
  { row: 60, start: 0, end: 2 },
];

test("goes to the next and the previous match, and around", () => {
  const [first, second, third] = hits as [(typeof hits)[0], (typeof hits)[0], (typeof hits)[0]];
  expect(adjacentHit(hits, first, 1)).toBe(second);
  expect(adjacentHit(hits, third, 1)).toBe(first);
  expect(adjacentHit(hits, first, -1)).toBe(third);
  expect(adjacentHit(hits, startOfRow(20), 1)).toBe(first);
  expect(adjacentHit(hits, startOfRow(40), 1)).toBe(third);
  expect(adjacentHit(hits, startOfRow(40), -1)).toBe(second);
  expect(adjacentHit(hits, startOfRow(90), 1)).toBe(first);
  expect(adjacentHit([], first, 1)).toBeUndefined();
  expect(hitIndex(hits, third)).toBe(2);
  expect(hitIndex(hits, startOfRow(40))).toBe(-1);
  expect(hitsInRow(hits, 20)).toEqual([first, second]);
  expect(hitsInRow(hits, 40)).toEqual([]);
});

test.each([
  [{ hits: [], done: false, more: false }, -1, "Searching…"],
  [{ hits: [], done: true, more: false }, -1, "No matches"],
  [{ hits, done: true, more: false }, -1, "3 matches"],
  [{ hits: hits.slice(0, 1), done: true, more: false }, -1, "1 match"],
  [{ hits, done: false, more: false }, 1, "2 of 3 so far"],
  [{ hits, done: true, more: true }, -1, "50,000+ matches"],
])("says what was found: %o", (progress, current, text) => {
  expect(searchStatus({ ...progress, error: undefined }, current)).toBe(text);
});
