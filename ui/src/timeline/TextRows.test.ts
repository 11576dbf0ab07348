import { expect, test } from "vitest";
import { TextRows } from "./TextRows";

function rowsOf(text: string) {
  const rows = new TextRows(text, []);
  return Array.from({ length: rows.length }, (_, place) => rows.row(place));
}

test.each([
  ["", []],
  ["a", ["a"]],
  ["a\nb\n", ["a", "b"]],
  ["a\r\n\r\nb", ["a", "", "b"]],
  ["\n\n", ["", ""]],
])("%j has the rows %j", (text, expected) => {
  expect(rowsOf(text).map((row) => row.text)).toEqual(expected);
});

test("a long line continues in rows that have its number", () => {
  const long = "x".repeat(10_000);
  const rows = rowsOf(`first\n${long}\nlast`);
  expect(rows.map(({ line, continued }) => [line, continued])).toEqual([
    [1, false],
    [2, false],
    [2, true],
    [2, true],
    [3, false],
  ]);
  const joined = rows.slice(1, 4).map((row) => row.text);
  expect(joined.join("")).toBe(long);
});

test("a row doesn't end within a character", () => {
  const text = `${"x".repeat(4_095)}😀${"y".repeat(10)}`;
  expect(rowsOf(text).map((row) => row.text)).toEqual(["x".repeat(4_095), `😀${"y".repeat(10)}`]);
});

test("styles are those of the row, and one over several rows is in each", () => {
  const bold = { bold: true };
  const rows = new TextRows("ab\ncd\nef", [
    { start: 1, end: 4, style: bold },
    { start: 7, end: 8, style: { dim: true } },
  ]);
  expect([0, 1, 2].map((place) => rows.row(place).styles)).toEqual([
    [{ start: 1, end: 2, style: bold }],
    [{ start: 0, end: 1, style: bold }],
    [{ start: 1, end: 2, style: { dim: true } }],
  ]);
});

test("only as many rows as a browser lays out, and says how much they show", () => {
  const rows = new TextRows("\n".repeat(600_000), []);
  expect([rows.length, rows.shownCharacters]).toEqual([500_000, 500_000]);
});
