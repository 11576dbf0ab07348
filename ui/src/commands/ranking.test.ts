// @vitest-environment node
import { expect, test } from "vitest";
import { type RankableEntry, rankEntries } from "./ranking";

const found = (entries: readonly RankableEntry[], search: string) =>
  rankEntries(entries, search, 10).best.map(({ label }) => label);

const entries: RankableEntry[] = [
  { label: "Approve blueprint", keywords: "review allow" },
  { label: "Replan", keywords: "plan again agent failure" },
  { label: "Undo Rename node", keywords: "Undo" },
  { label: "Go to Settings", keywords: "preferences options" },
];

test.each([
  ["appr", "Approve blueprint"],
  ["blueprint approve", "Approve blueprint"],
  ["preferences", "Go to Settings"],
  ["gts", "Go to Settings"],
  ["REPLAN", "Replan"],
  ["undo", "Undo Rename node"],
])("%s finds %s first", (search, label) => {
  expect(found(entries, search)[0]).toBe(label);
});

test("entries that do not match are left out", () => {
  expect(found(entries, "zebra")).toEqual([]);
  expect(found(entries, "approve zebra")).toEqual([]);
});

test("among equal matches, recent entries come first and disabled ones last", () => {
  const alike: RankableEntry[] = [
    { label: "Run all", refusal: "Nothing to run" },
    { label: "Run all" },
    { label: "Run all", recent: 3 },
    { label: "Run all", recent: 0 },
  ];
  const order = rankEntries(alike, "run", 10).best.map((entry) => alike.indexOf(entry));
  expect(order).toEqual([3, 2, 1, 0]);
});

test("further results are counted, and ten thousand nodes are searched between two keystrokes", () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({
    label: `Translate chapter ${at}`,
    keywords: `translate-chapter-${at}`,
  }));
  const begun = process.cpuUsage();
  const { best, found: all } = rankEntries(many, "chapter 99", 60);
  const { user, system } = process.cpuUsage(begun);
  expect(best).toHaveLength(60);
  expect(all).toBeGreaterThan(60);
  expect(best[0]?.label).toContain("99");
  // Measures CPU time, so that other processes don't matter; about 100 ms here.
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

test("a label that starts with the search outranks a recent entry that contains the words", () => {
  const session: RankableEntry = { label: "the harbour list that we show", recent: 0 };
  expect(found([session, { label: "Show the list" }], "show the list")[0]).toBe("Show the list");
});

test("a word of a label outranks the same word among the keywords of others", () => {
  const lists: RankableEntry[] = [
    { label: "Undo several steps", keywords: "history back list" },
    { label: "Go to Blueprints", keywords: "plans list" },
    { label: "Show the list", keywords: "outline" },
  ];
  expect(found(lists, "list")[0]).toBe("Show the list");
});
