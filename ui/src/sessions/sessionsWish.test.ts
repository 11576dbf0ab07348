import { expect, test } from "vitest";
import {
  addressOf,
  filterOf,
  isNarrowed,
  openWish,
  type SessionsWish,
  searchWords,
  wishIn,
} from "./sessionsWish";

const full: SessionsWish = {
  text: "fix the build",
  within: "titles",
  agent: "codex",
  project: "/home/dev/a b&c",
  starred: true,
  tag: "später",
  linked: false,
  sort: "cost",
};

test.each<[string, SessionsWish]>([
  ["nothing wished", openWish],
  ["everything wished", full],
  ["only those of a node", { ...openWish, linked: true }],
])("an address gives the wish back: %s", (_, wish) => {
  expect(wishIn(new URLSearchParams(addressOf(wish).toString()))).toEqual(wish);
});

test("a wish for everything leaves the address bare", () => {
  expect(addressOf(openWish).toString()).toBe("");
  expect(isNarrowed({ ...openWish, sort: "cost", within: "titles" })).toBe(false);
  expect(isNarrowed({ ...openWish, tag: "x" })).toBe(true);
});

test("what an address says without sense is as if it were not there", () => {
  const odd = new URLSearchParams("sort=fastest&linked=maybe&starred=1&in=dreams&agent=");
  expect(wishIn(odd)).toEqual(openWish);
});

test.each<[string, string | undefined, string]>([
  ["", undefined, "nothing is looked for"],
  ["  ", undefined, "blanks are nothing"],
  ["buil", "buil*", "the last word may be half written"],
  ["build ", "build", "a blank ends the word"],
  ['"a phrase"', '"a phrase"', "a closed phrase is what it is"],
  ["Größe", "Größe*", "letters of every script make words"],
])("words to look for: %j", (text, words, why) => {
  expect(searchWords({ ...openWish, text }), why).toBe(words);
});

test("titles are looked through by the filter, texts by the search", () => {
  const inTitles = { ...openWish, text: " build ", within: "titles" as const };
  expect(searchWords(inTitles)).toBeUndefined();
  expect(filterOf(inTitles).text).toBe("build");
  expect(filterOf({ ...inTitles, within: "text" }).text).toBeNull();
  expect(filterOf(full)).toMatchObject({ agent: "codex", starred: true, linked: false });
  expect(filterOf(openWish).starred, "false would leave out the starred ones").toBeNull();
});
