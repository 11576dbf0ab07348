// @vitest-environment node
import { expect, test } from "vitest";
import { clipboardText, parseClipboard } from "./clipboard";
import { fragmentOf } from "./edits";
import { planOf } from "./planFixture";

const plan = planOf(["a", "b"], ["a>b"]);
const fragment = fragmentOf(plan, new Set(["a", "b"]));

test("nodes come back from the clipboard as they went", () => {
  expect(parseClipboard(clipboardText(fragment))).toEqual(fragment);
});

test("other texts are not ours", () => {
  for (const text of ["", "hello", "{}", "[1]", "null", '{"format":"baton/nodes@1"}'])
    expect(parseClipboard(text), text).toBeUndefined();
});

test("what is missing or wrong gets its default, and dangling edges are left out", () => {
  const text = JSON.stringify({
    format: "baton/nodes@1",
    nodes: [
      { id: "x", slug: "../x", title: "T", kind: { kind: "note", text: "hi" }, position: "no" },
      { id: "y", slug: "y", title: "T", kind: { kind: "unheard of" } },
      7,
    ],
    edges: [{ parent: "x", child: "y" }, null],
  });
  const parsed = parseClipboard(text);
  expect(parsed?.nodes).toMatchObject([
    { id: "x", slug: "node", position: null, priority: 5, triggerRule: null },
  ]);
  expect(parsed?.edges).toEqual([]);
});
