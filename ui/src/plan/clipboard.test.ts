// @vitest-environment node
import { expect, test } from "vitest";
import { clipboardText, parseClipboard } from "./clipboard";
import { fragmentOf } from "./edits";
import { makeGroup } from "./groups";
import { planOf } from "./planFixture";

const plan = planOf(["a", "b"], ["a>b"]);

test("nodes survive a round trip through the clipboard", () => {
  const grouped = makeGroup(plan, "G", new Set(["a", "b"]));
  for (const ids of [["a", "b"], ["b"]]) {
    const fragment = fragmentOf(grouped, new Set(ids));
    expect(parseClipboard(clipboardText(fragment))).toEqual({ fragment });
  }
});

test("other texts are not recognized", () => {
  for (const text of ["", "hello", "{}", "[1]", "null", '{"format":"something else"}'])
    expect(parseClipboard(text), text).toBeUndefined();
});

test("missing fields get defaults, and dangling references are dropped", () => {
  const clip = parseClipboard(
    JSON.stringify({
      format: "baton/nodes@1",
      nodes: [
        { id: "x", slug: "../x", title: "T", kind: { kind: "note", text: "hi", color: "red" } },
        { id: "y", slug: "y", title: "T", kind: { kind: "command", command: ["a"], later: 1 } },
      ],
      edges: [{ parent: "x", child: "gone" }],
      groups: [
        { id: "g", title: "G", nodes: ["y", "gone"] },
        { id: "h", title: "H", nodes: ["y"] },
      ],
    }),
  );
  expect(clip?.faults).toBeUndefined();
  expect(clip?.fragment?.nodes).toMatchObject([
    { slug: "node", position: null, priority: 5, triggerRule: null, kind: { color: "red" } },
    { kind: { kind: "command", command: ["a"], env: {}, cwd: null } },
  ]);
  expect(clip?.fragment?.nodes[1]?.kind).not.toHaveProperty("later");
  expect(clip?.fragment?.edges).toEqual([]);
  expect(clip?.fragment?.groups).toEqual([{ id: "g", title: "G", color: "gray", nodes: ["y"] }]);
});

test("every fault is reported with its place, and then nothing is pasted", () => {
  const node = { id: "x", slug: "x", title: "X", kind: { kind: "agent" } };
  const table: [object, string[]][] = [
    [{}, ["nodes: must not be empty"]],
    [{ nodes: {} }, ["nodes: must be a list"]],
    [{ nodes: [7] }, ["nodes[0]: must be a node"]],
    [
      { nodes: [node, { ...node, title: undefined, slug: 4, kind: { kind: "agnt" } }] },
      [
        "nodes[1].slug: must be text",
        "nodes[1].title: is missing",
        "nodes[1].kind.kind: unknown node kind",
      ],
    ],
    [
      { nodes: [{ ...node, kind: { kind: "agent", prompt: { no: 1 } }, position: "here" }] },
      ["nodes[0].kind.prompt: must be text", "nodes[0].position: must be {x, y} with two numbers"],
    ],
    [
      { nodes: [{ ...node, priority: "high", afterCrash: "cry" }] },
      [
        "nodes[0].afterCrash: must be one of ask, resume, restart",
        "nodes[0].priority: must be a number",
      ],
    ],
    [{ nodes: [node], edges: [null] }, ["edges[0]: must have a parent and a child"]],
    [{ nodes: [node], groups: [{ id: "g" }] }, ["groups[0].title: is missing"]],
    [{ nodes: [node, node] }, ["nodes: duplicate id"]],
  ];
  for (const [text, faults] of table)
    expect(parseClipboard(JSON.stringify({ format: "baton/nodes@1", ...text }))).toEqual({
      faults,
    });
});
