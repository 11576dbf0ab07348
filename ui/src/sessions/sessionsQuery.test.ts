import { expect, test } from "vitest";
import {
  defaultQuery,
  fullTextQuery,
  isFiltered,
  parseSessionsQuery,
  type SessionsQuery,
  toSearchParams,
  toTranscriptsFilter,
} from "./sessionsQuery";

const full: SessionsQuery = {
  text: "fix the build",
  within: "titles",
  agent: "codex",
  project: "/home/dev/a b&c",
  starred: true,
  tag: "später",
  linked: false,
  sort: "cost",
};

test.each<[string, SessionsQuery]>([
  ["the default query", defaultQuery],
  ["all fields set", full],
  ["only sessions of nodes", { ...defaultQuery, linked: true }],
])("search parameters round-trip: %s", (_, query) => {
  expect(parseSessionsQuery(new URLSearchParams(toSearchParams(query).toString()))).toEqual(query);
});

test("the default query adds no search parameters", () => {
  expect(toSearchParams(defaultQuery).toString()).toBe("");
  expect(isFiltered({ ...defaultQuery, sort: "cost", within: "titles" })).toBe(false);
  expect(isFiltered({ ...defaultQuery, tag: "x" })).toBe(true);
});

test("invalid search parameters are ignored", () => {
  const odd = new URLSearchParams("sort=fastest&linked=maybe&starred=1&in=dreams&agent=");
  expect(parseSessionsQuery(odd)).toEqual(defaultQuery);
});

test.each<[string, string | undefined, string]>([
  ["", undefined, "empty"],
  ["  ", undefined, "only spaces"],
  ["buil", "buil*", "the last word may be incomplete"],
  ["build ", "build", "a space ends the word"],
  ['"a phrase"', '"a phrase"', "a closed phrase is kept"],
  ["Größe", "Größe*", "letters of any script"],
])("full-text query for %j", (text, words, why) => {
  expect(fullTextQuery({ ...defaultQuery, text }), why).toBe(words);
});

test("titles are matched by the filter, text by the full-text search", () => {
  const inTitles = { ...defaultQuery, text: " build ", within: "titles" as const };
  expect(fullTextQuery(inTitles)).toBeUndefined();
  expect(toTranscriptsFilter(inTitles).text).toBe("build");
  expect(toTranscriptsFilter({ ...inTitles, within: "text" }).text).toBeNull();
  expect(toTranscriptsFilter(full)).toMatchObject({ agent: "codex", starred: true, linked: false });
  expect(
    toTranscriptsFilter(defaultQuery).starred,
    "false would exclude starred sessions",
  ).toBeNull();
});
