import { expect, test } from "vitest";
import { describeIndexProgress } from "./IndexProgress";
import { ariaSort, nextSort, sessionColumns } from "./sessionColumns";
import { parseTags, sessionDuration, sessionTitle, totalTokens } from "./sessionText";
import { rowFixture } from "./transcriptFixture";
import { pageStartsFor } from "./usePagedSessions";

const unknown = {
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  usd: null,
};

test("missing values are unknown, never 0", () => {
  expect(totalTokens(unknown)).toBeNull();
  expect(totalTokens({ ...unknown, outputTokens: 0 })).toBe(0);
  expect(totalTokens({ ...unknown, inputTokens: 5, cacheReadTokens: 7 })).toBe(12);
  expect(sessionDuration(rowFixture("a", { endedAt: null }))).toBeUndefined();
});

test("clock skew does not give a negative duration", () => {
  expect(sessionDuration(rowFixture("a", { startedAt: 2_000, endedAt: 1_000 }))).toBe(0);
});

test.each([
  [null, "Untitled session"],
  ["  \n ", "Untitled session"],
  ["Fix\n  the\tbuild ", "Fix the build"],
])("the title of %j", (title, shown) => {
  expect(sessionTitle({ title })).toBe(shown);
});

test("tags are separated by commas", () => {
  expect(parseTags(" review,, two  words ,review,")).toEqual(["review", "two words"]);
  expect(parseTags(" , ")).toEqual([]);
});

test.each([
  [{ listing: true, reading: true, bytesDone: 1, bytesTotal: 2 }, "Searching for sessions…"],
  [{ listing: false, reading: true, bytesDone: 999, bytesTotal: 1_000 }, "Indexing sessions: 99%"],
  [{ listing: false, reading: true, bytesDone: 5, bytesTotal: 0 }, "Indexing sessions…"],
  [{ listing: false, reading: true, bytesDone: 9, bytesTotal: 3 }, "Indexing sessions: 100%"],
  [{ listing: false, reading: false, bytesDone: 0, bytesTotal: 0 }, undefined],
])("describes index progress %o", (indexing, words) => {
  expect(describeIndexProgress({ ...indexing, trouble: [] })).toBe(words);
});

test.each([
  [0, 30, [0]],
  [90, 110, [0, 100]],
  [4_250, 4_280, [0, 4_200]],
  [199, 200, [0, 100, 200]],
])("rows %i to %i fetch the right pages", (first, last, starts) => {
  expect(pageStartsFor(first, last)).toEqual(starts);
});

test("a column header cycles through its sort orders", () => {
  const column = (label: string) => {
    const found = sessionColumns.find((each) => each.label === label);
    if (!found) throw new Error(`no column ${label}`);
    return found;
  };
  expect(nextSort(column("When"), "latest")).toBe("oldest");
  expect(nextSort(column("When"), "oldest")).toBe("latest");
  expect(nextSort(column("Cost"), "latest")).toBe("cost");
  expect(nextSort(column("Cost"), "cost")).toBe("latest");
  expect(ariaSort(column("Title"), "title")).toBe("ascending");
  expect(ariaSort(column("Cost"), "title")).toBeUndefined();
});
