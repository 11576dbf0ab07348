import { expect, test } from "vitest";
import { fileLinks } from "./fileLinks";

test.each([
  ["error at src/main.rs:42:7", "src/main.rs:42:7", "src/main.rs", 42, 7],
  ["  --> src/main.rs:42:7", "src/main.rs:42:7", "src/main.rs", 42, 7],
  ["src/main.rs:42: unused", "src/main.rs:42", "src/main.rs", 42, undefined],
  ['  File "my app/x.py", line 3, in f', 'File "my app/x.py", line 3', "my app/x.py", 3, undefined],
  ["    at fn (/a/b.js:10:5)", "/a/b.js:10:5", "/a/b.js", 10, 5],
  ["    at file:///a/b%20c.js:10:5", "file:///a/b%20c.js:10:5", "/a/b c.js", 10, 5],
  ["\t/a/b.go:12 +0x1d", "/a/b.go:12", "/a/b.go", 12, undefined],
  ["src/a.ts(3,5): error TS2304", "src/a.ts(3,5)", "src/a.ts", 3, 5],
  ["\tat a.B.c(B.java:10)", "B.java:10", "B.java", 10, undefined],
  ["C:\\work\\a.rs:3:4", "C:\\work\\a.rs:3:4", "C:\\work\\a.rs", 3, 4],
  ["./Makefile:8: target", "./Makefile:8", "./Makefile", 8, undefined],
  ["lib/קובץ.py:7", "lib/קובץ.py:7", "lib/קובץ.py", 7, undefined],
  ["at ../x/y.unknown:9", "../x/y.unknown:9", "../x/y.unknown", 9, undefined],
])("finds the place in %j", (text, written, path, line, column) => {
  const [link, ...others] = fileLinks(text);
  expect(others).toEqual([]);
  expect(link).toMatchObject({ path, line, column });
  expect(text.slice(link?.start, link?.end)).toBe(written);
});

test.each([
  "12:30:45 started",
  "http://localhost:3000/x",
  "https://example.com:443",
  "f(3,5) is a call",
  "host.example:80",
  "ratio 3:4",
  "a.rs:0",
  "a.rs:123456789",
  'File "<stdin>", line 1',
  "std::vec::Vec",
  "file://server/share/a.rs:1",
  "::::",
  "",
])("finds nothing in %j", (text) => {
  expect(fileLinks(text)).toEqual([]);
});

test("finds several places in a row, and they don't overlap", () => {
  const links = fileLinks("a.rs:1:2 -> b.rs:3 (c.ts(4,5))");
  expect(links.map(({ path, line }) => `${path} ${line}`)).toEqual(["a.rs 1", "b.rs 3", "c.ts 4"]);
  for (const [at, link] of links.entries())
    expect(link.start).toBeGreaterThanOrEqual(links[at - 1]?.end ?? 0);
});

/** A text that counts how many of its characters are read one by one. */
function countReads(text: string): number {
  let reads = 0;
  const counting = new Proxy(Object(text) as object, {
    get(_, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
      const value = (text as unknown as Record<string | symbol, unknown>)[key];
      if (key === "slice")
        return (from: number, to: number) => {
          reads += Math.max(0, (to ?? text.length) - from);
          return text.slice(from, to);
        };
      return typeof value === "function" ? value.bind(text) : value;
    },
  });
  fileLinks(counting as unknown as string);
  return reads;
}

test.each([
  ":1",
  "a:1",
  "a:",
  "(1,1",
  '", line 1',
  'File "',
  "//a:1",
  "C:\\a:1",
  "/",
  "a.rs",
  "1",
  "file://",
])("reads %j in rows of any length in linear time", (piece) => {
  const short = countReads(piece.repeat(512));
  const long = countReads(piece.repeat(4_096));
  expect(long).toBeLessThan(short * 9 + 100);
  expect(long).toBeLessThan(piece.length * 4_096 * 8);
});
