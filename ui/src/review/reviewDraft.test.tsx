import { beforeEach, expect, test } from "vitest";
import { openDrafts, readDraft } from "@/shell/drafts";
import { emptyReview, parseReview, readReview, writeReview } from "./reviewDraft";

const comment = {
  id: 1,
  path: "a.rs",
  old: null,
  new: { first: 1, last: 2 },
  lines: ["+a", "+b"],
  text: "Why?",
  head: "1",
};

beforeEach(() => {
  localStorage.clear();
  openDrafts("one");
});

test("a review is kept for its node, and gone when it is empty", () => {
  writeReview("run", "node", { text: "", comments: [comment] });
  expect(readReview("run", "node").comments).toEqual([comment]);
  expect(readReview("run", "other")).toEqual(emptyReview);
  writeReview("run", "node", emptyReview);
  expect(readDraft("review/run/node")).toBeUndefined();
});

test.each([
  [null],
  ["text"],
  [{ comments: "none" }],
  [{ comments: [null, 1, {}] }],
  [{ comments: [{ ...comment, text: " " }] }],
  [{ comments: [{ ...comment, lines: [1] }] }],
  [{ comments: [{ ...comment, new: { first: "1" } }] }],
])("the storage may contain anything: %j", (value) => {
  expect(parseReview(value)).toEqual(emptyReview);
});

test("what is valid is kept", () => {
  const read = parseReview({ text: "Nearly.", comments: [comment, { ...comment, id: "2" }] });
  expect(read).toEqual({ text: "Nearly.", comments: [comment] });
});
