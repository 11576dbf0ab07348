import { expect, test } from "vitest";
import { isWebAddress, webLinks } from "./webLinks";

test.each([
  ["see https://example.com/a?b=c#d.", ["https://example.com/a?b=c#d"]],
  ["(http://localhost:3000)", ["http://localhost:3000"]],
  ["https://en.wikipedia.org/wiki/Set_(a), and", ["https://en.wikipedia.org/wiki/Set_(a)"]],
  ["<https://a.example> 'http://b.example'", ["https://a.example", "http://b.example"]],
  ["httphttp://a.example", ["http://a.example"]],
  ["file:///etc/passwd javascript:alert(1) ftp://a", []],
  ["https:// and http:/x", []],
])("finds addresses in %j", (text, addresses) => {
  expect(webLinks(text).map(({ address }) => address)).toEqual(addresses);
  for (const { start, end, address } of webLinks(text))
    expect(text.slice(start, end)).toBe(address);
});

test("only web pages are opened", () => {
  expect(isWebAddress("https://example.com")).toBe(true);
  expect(isWebAddress("HTTP://example.com")).toBe(true);
  for (const address of ["file:///a", "javascript:alert(1)", "http://", "vscode://x", "//a", ""])
    expect(isWebAddress(address)).toBe(false);
});

test("brackets in long rows end the search", () => {
  expect(webLinks(`https://a.example/${")".repeat(4_000)}`)).toHaveLength(1);
  expect(webLinks("http".repeat(1_000))).toEqual([]);
});
