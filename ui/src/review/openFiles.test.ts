import { expect, test } from "vitest";
import { fileDiff } from "./diffFixture";
import { initiallyOpenFiles } from "./openFiles";

const files = (count: number, lines: number) =>
  Array.from({ length: count }, (_, at) =>
    fileDiff(
      `${at}`,
      Array.from({ length: lines }, () => "+line"),
    ),
  );

test.each([
  ["no file", 0, 1, 0],
  ["a few files", 3, 100, 3],
  ["one file, however long", 1, 50_000, 1],
  ["long files, which show their first lines only", 20, 50_000, 7],
  ["very many files", 500, 99, 30],
])("%s", (_, count, lines, open) => {
  expect(initiallyOpenFiles(files(count, lines)).size).toBe(open);
});
