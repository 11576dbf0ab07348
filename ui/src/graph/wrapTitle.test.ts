// @vitest-environment node
import { expect, test } from "vitest";
import { wrapTitle } from "./wrapTitle";

// Each letter is one wide.
const context = { measureText: (text: string) => ({ width: text.length }) as TextMetrics };

test("a title is cut at its end, in two rows at most", () => {
  expect(wrapTitle(context, "Build", 12, 10)).toEqual(["Build"]);
  expect(wrapTitle(context, "Build all parts", 12, 10)).toEqual(["Build all", "parts"]);
  expect(wrapTitle(context, "Build all parts again", 12, 10)).toEqual(["Build all", "parts aga…"]);
});

test("a title from right to left is isolated, so that its ellipsis is at its end", () => {
  const rows = wrapTitle(context, "בניית כל החלקים מחדש", 12, 10, 1);
  expect(rows).toEqual(["\u2067בניית כל …\u2069"]);
  expect(wrapTitle(context, "12 بناء", 12, 10)).toEqual(["\u206712 بناء\u2069"]);
  expect(wrapTitle(context, "Build بناء", 12, 10)).toEqual(["Build بناء"]);
});
