import { expect, test } from "vitest";
import { fileDiff } from "./diffFixture";
import { placeComment, rowsOfFile } from "./placeComment";
import { commentedLines, describeLines, type ReviewComment } from "./reviewComment";

const first = "1".repeat(40);
const second = "2".repeat(40);
const lines = [" a", "-b", "+c", "+d", " e"];

/** A comment on rows of the first diff. */
function commentOn(from: number, to: number): ReviewComment {
  const chosen = commentedLines(rowsOfFile(fileDiff("f", lines)), from, to);
  if (!chosen) throw new Error("no lines");
  return { id: 1, path: "f", text: "x", head: first, ...chosen };
}

function placeIn(comment: ReviewComment, now: string[], head = second, start = 1) {
  const rows = rowsOfFile(fileDiff("f", now, {}, start));
  const { comment: placed, outdated, row } = placeComment(comment, rows, head);
  return outdated ? "outdated" : `${describeLines(placed)} below row ${row}`;
}

test.each([
  ["the same diff", 2, 3, lines, first, "lines 2-3 below row 3"],
  ["unchanged lines", 2, 3, [" a", "-b", "+c", "+d", "+x"], second, "lines 2-3 below row 3"],
  ["lines that moved down", 2, 3, [" a", "+n", "+c", "+d"], second, "lines 3-4 below row 3"],
  ["a line that changed", 2, 3, [" a", "-b", "+c", "+D"], second, "outdated"],
  ["a line that is there twice elsewhere", 2, 2, ["+c", " a", "+x", "+c"], second, "outdated"],
  ["an added line that was there before now", 2, 2, [" a", " c"], second, "line 2 below row 1"],
  ["a removed line", 1, 1, [" a", "-b", "+q"], second, "removed line 2 below row 1"],
  ["a removed line that came back", 1, 1, [" a", " b", "+q"], second, "outdated"],
  ["a file without shown lines", 2, 2, [], second, "outdated"],
])("a comment and %s", (_, from, to, now, head, expected) => {
  expect(placeIn(commentOn(from, to), now, head)).toBe(expected);
});

test("in its own diff a comment is never outdated, even if its lines aren't loaded", () => {
  expect(placeIn(commentOn(2, 2), [], first)).toBe("line 2 below row undefined");
});

test("lines of two hunks are not commented on together", () => {
  const file = fileDiff("f", ["+a"]);
  const hunks = [1, 9].map((start) => ({ oldStart: start, newStart: start, lines: ["+a", " b"] }));
  const rows = rowsOfFile({ ...file, content: { kind: "hunks", hunks } });
  expect(commentedLines(rows, 1, 3)).toBeUndefined();
  expect(commentedLines(rows, 4, 3)).toEqual({
    old: { first: 9, last: 9 },
    new: { first: 9, last: 10 },
    lines: ["+a", " b"],
  });
});
