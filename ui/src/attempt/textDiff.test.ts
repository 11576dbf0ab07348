import { expect, test } from "vitest";
import { hunkLines } from "./diffRows";
import { diffTexts } from "./textDiff";

const lines = (...each: string[]) => each.map((line) => `${line}\n`).join("");
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

test.each<[string, string, string, string[][]]>([
  ["equal texts", "a\nb\n", "a\nb\n", []],
  ["a changed line", lines("a", "b", "c"), lines("a", "x", "c"), [[" a", "-b", "+x", " c"]]],
  ["an added line at the end", "a", "a\nb", [[" a", "+b"]]],
  ["everything is new", "", "a\nb\n", [["+a", "+b"]]],
  ["everything is gone", "a\n", "", [["-a"]]],
  ["a moved line", lines("a", "b", "c"), lines("b", "c", "a"), [["-a", " b", " c", "+a"]]],
])("%s", (_, before, after, expected) => {
  expect(diffTexts(before, after).map((hunk) => hunk.lines)).toEqual(expected);
});

test("far changes are in hunks of their own, with their line numbers", () => {
  const before = numbered(30);
  const after = before.with(4, "five").with(24, "twenty-five");
  const hunks = diffTexts(lines(...before), lines(...after));
  expect(
    hunks.map(({ oldStart, newStart, lines: { length } }) => [oldStart, newStart, length]),
  ).toEqual([
    [2, 2, 8],
    [22, 22, 8],
  ]);
});

test("the hunks turn one text into the other", () => {
  const before = numbered(40);
  const after = [...before.slice(3, 20), "new", ...before.slice(18), "end"];
  const hunks = diffTexts(lines(...before), lines(...after));
  const result = [...before];
  // From the end, so that earlier line numbers stay valid.
  for (const hunk of hunks.toReversed()) {
    const old = hunkLines(hunk).filter(({ kind }) => kind !== "added");
    const now = hunkLines(hunk).filter(({ kind }) => kind !== "removed");
    expect(result.slice(hunk.oldStart - 1, hunk.oldStart - 1 + old.length)).toEqual(
      old.map(({ text }) => text),
    );
    result.splice(hunk.oldStart - 1, old.length, ...now.map(({ text }) => text));
  }
  expect(result).toEqual(after);
});

test("huge texts without common lines are still shown", () => {
  const before = lines(...numbered(3_000));
  const [hunk] = diffTexts(before, lines(...numbered(3_000).map((line) => `${line}!`)));
  expect(hunk?.lines).toHaveLength(6_000);
});
