import { expect, test } from "vitest";
import { progressWords } from "./IndexProgress";
import { nextSort, sessionColumns, sortedAs } from "./sessionColumns";
import { allTokens, sessionLength, sessionTitle, tagsIn } from "./sessionWords";
import { rowFixture } from "./transcriptFixture";
import { startsFor } from "./usePagedSessions";

const unknown = {
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  usd: null,
};

test("what no record tells is unknown and never 0", () => {
  expect(allTokens(unknown)).toBeNull();
  expect(allTokens({ ...unknown, outputTokens: 0 })).toBe(0);
  expect(allTokens({ ...unknown, inputTokens: 5, cacheReadTokens: 7 })).toBe(12);
  expect(sessionLength(rowFixture("a", { endedAt: null }))).toBeUndefined();
});

test("clocks that run backwards make no negative length", () => {
  expect(sessionLength(rowFixture("a", { startedAt: 2_000, endedAt: 1_000 }))).toBe(0);
});

test.each([
  [null, "Untitled session"],
  ["  \n ", "Untitled session"],
  ["Fix\n  the\tbuild ", "Fix the build"],
])("the title of %j", (title, shown) => {
  expect(sessionTitle({ title })).toBe(shown);
});

test("tags are what stands between commas", () => {
  expect(tagsIn(" review,, two  words ,review,")).toEqual(["review", "two words"]);
  expect(tagsIn(" , ")).toEqual([]);
});

test.each([
  [{ listing: true, reading: true, bytesDone: 1, bytesTotal: 2 }, "Looking for sessions"],
  [{ listing: false, reading: true, bytesDone: 999, bytesTotal: 1_000 }, "Reading texts, 99%"],
  [{ listing: false, reading: true, bytesDone: 5, bytesTotal: 0 }, "Reading texts"],
  [{ listing: false, reading: true, bytesDone: 9, bytesTotal: 3 }, "Reading texts, 100%"],
  [{ listing: false, reading: false, bytesDone: 0, bytesTotal: 0 }, undefined],
])("progress %o", (indexing, words) => {
  expect(progressWords({ ...indexing, trouble: [] })).toBe(words);
});

test.each([
  [0, 30, [0]],
  [90, 110, [0, 100]],
  [4_250, 4_280, [0, 4_200]],
  [199, 200, [0, 100, 200]],
])("places %i to %i are read as pages", (first, last, starts) => {
  expect(startsFor(first, last)).toEqual(starts);
});

test("a press on a head goes through its orders and back to the usual one", () => {
  const column = (label: string) => {
    const found = sessionColumns.find((each) => each.label === label);
    if (!found) throw new Error(`no column ${label}`);
    return found;
  };
  expect(nextSort(column("When"), "latest")).toBe("oldest");
  expect(nextSort(column("When"), "oldest")).toBe("latest");
  expect(nextSort(column("Cost"), "latest")).toBe("cost");
  expect(nextSort(column("Cost"), "cost")).toBe("latest");
  expect(sortedAs(column("Title"), "title")).toBe("ascending");
  expect(sortedAs(column("Cost"), "title")).toBeUndefined();
});
