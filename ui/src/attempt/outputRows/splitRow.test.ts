import { expect, test } from "vitest";
import type { OutputRow } from "@/api/bindings";
import { splitRow } from "./splitRow";

const nothing = { hits: [], current: undefined, files: false };

function row(text: string, styles: OutputRow["styles"] = []): OutputRow {
  return { position: 7, stream: "stdout", text, styles, atMs: null, line: 1, continued: false };
}

test("plain rows are one span, and empty rows have none", () => {
  expect(splitRow(row("hello"), nothing)).toMatchObject([{ text: "hello", style: undefined }]);
  expect(splitRow(row(""), nothing)).toEqual([]);
});

test("styles, matches and links cut the text where they begin and end", () => {
  const bold = { bold: true };
  const hit = { row: 7, start: 3, end: 8 };
  const spans = splitRow(row("error src/a.rs:4", [{ start: 0, end: 5, style: bold }]), {
    hits: [hit, { row: 7, start: 9, end: 10 }],
    current: hit,
    files: true,
  });
  expect(spans.map(({ text, style, mark, file }) => [text, !!style, mark, !!file])).toEqual([
    ["err", true, undefined, false],
    ["or", true, "current", false],
    [" ", false, "current", false],
    ["sr", false, "current", true],
    ["c", false, undefined, true],
    ["/", false, "match", true],
    ["a.rs:4", false, undefined, true],
  ]);
  expect(spans.map(({ text }) => text).join("")).toBe("error src/a.rs:4");
});

test("links of programs need a web address; file links can be off", () => {
  const link = (address: string) =>
    splitRow(row("x", [{ start: 0, end: 1, style: { link: address } }]), nothing);
  expect(link("https://a.example")[0]?.address).toBe("https://a.example");
  expect(link("file:///etc/passwd")[0]?.address).toBeUndefined();
  expect(splitRow(row("https://a.example"), nothing)[0]?.address).toBe("https://a.example");
  expect(splitRow(row("a.rs:1"), nothing)[0]?.file).toBeUndefined();
});

test("a place in a web address is not a file", () => {
  const spans = splitRow(row("https://a.example/x.js:1:2"), { ...nothing, files: true });
  expect(spans.every(({ file }) => file === undefined)).toBe(true);
});

test("ranges outside the text are cut off", () => {
  const styles = [{ start: 2, end: 99, style: { bold: true } }];
  expect(splitRow(row("abc", styles), nothing).map(({ text }) => text)).toEqual(["ab", "c"]);
});
