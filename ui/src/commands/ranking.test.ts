// @vitest-environment node
import { expect, test } from "vitest";
import { type Ranked, ranked } from "./ranking";

const found = (entries: readonly Ranked[], search: string) =>
  ranked(entries, search, 10).best.map(({ words }) => words);

const entries: Ranked[] = [
  { words: "Approve plan", also: "review allow" },
  { words: "Plan anew after this run", also: "replan agent failure" },
  { words: "Undo Rename node", also: "Undo" },
  { words: "Go to Settings", also: "preferences options" },
];

test.each([
  ["appr", "Approve plan"],
  ["plan approve", "Approve plan"],
  ["preferences", "Go to Settings"],
  ["gts", "Go to Settings"],
  ["REPLAN", "Plan anew after this run"],
  ["undo", "Undo Rename node"],
])("%s finds %s first", (search, words) => {
  expect(found(entries, search)[0]).toBe(words);
});

test("what has nothing of the search is left out", () => {
  expect(found(entries, "zebra")).toEqual([]);
  expect(found(entries, "approve zebra")).toEqual([]);
});

test("of what fits alike, the latest comes first and what does not apply last", () => {
  const alike: Ranked[] = [
    { words: "Run all", refusal: "Nothing to run" },
    { words: "Run all" },
    { words: "Run all", recent: 3 },
    { words: "Run all", recent: 0 },
  ];
  const order = ranked(alike, "run", 10).best.map((entry) => alike.indexOf(entry));
  expect(order).toEqual([3, 2, 1, 0]);
});

test("the rest is counted, and ten thousand nodes are searched between two keys", () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({
    words: `Translate chapter ${at}`,
    also: `translate-chapter-${at}`,
  }));
  const begun = process.cpuUsage();
  const { best, found: all } = ranked(many, "chapter 99", 60);
  const { user, system } = process.cpuUsage(begun);
  expect(best).toHaveLength(60);
  expect(all).toBeGreaterThan(60);
  expect(best[0]?.words).toContain("99");
  // By processor time, so that others on the machine do not decide; some 100 ms here.
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

test("what is called so comes before what was chosen lately and has the words in it somewhere", () => {
  const session: Ranked = { words: "the harbour list that we show", recent: 0 };
  expect(found([session, { words: "Show the list" }], "show the list")[0]).toBe("Show the list");
});
