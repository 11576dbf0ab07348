// @vitest-environment node
import { expect, test } from "vitest";
import { conditionalEdgeKey } from "./conditionalEdges";
import * as edits from "./edits";
import { makeGroup } from "./groups";
import { blankKind } from "./kinds";
import { wholePlan } from "./largePlanFixture";
import { planOf } from "./planFixture";

const plan = planOf(["a", "b", "c"], ["a>b", "b>c"]);
const links = (of: typeof plan) => of.edges.map(({ parent, child }) => `${parent}>${child}`);

test("deleting a node deletes its edges, and other nodes keep their identity", () => {
  const after = edits.removeNodes(plan, new Set(["b"]));
  expect(after.nodes).toEqual([plan.nodes[0], plan.nodes[2]]);
  expect(after.nodes[0]).toBe(plan.nodes[0]);
  expect(after.edges).toEqual([]);
});

test("a node inserted into an edge is between its ends", () => {
  const node = { ...edits.blankNode(plan, "agent", { x: 0, y: 0 }), id: "new" };
  expect(links(edits.insertInEdge(plan, "a>b", node))).toEqual(["a>new", "new>b", "b>c"]);
});

test("a copy gets new ids and slugs, and only edges inside are copied", () => {
  const fragment = edits.fragmentOf(plan, new Set(["a", "b"]));
  expect(links({ ...plan, edges: fragment.edges })).toEqual(["a>b"]);
  const { plan: after, ids } = edits.insertFragment(plan, fragment, { x: 10, y: 20 });
  expect(after.nodes.slice(3).map((node) => node.slug)).toEqual(["a-2", "b-2"]);
  expect(after.nodes[3]?.position).toEqual({ x: 10, y: 20 });
  expect(links(after).at(-1)).toBe(`${ids[0]}>${ids[1]}`);
  expect(new Set(after.nodes.map((node) => node.id)).size).toBe(5);
});

test("pasting twice never gives two nodes the same slug", () => {
  const fragment = edits.fragmentOf(plan, new Set(["a", "b", "c"]));
  let after = plan;
  for (let time = 0; time < 4; time += 1)
    after = edits.insertFragment(after, fragment, { x: 0, y: 0 }).plan;
  expect(new Set(after.nodes.map((node) => node.slug)).size).toBe(15);
});

test("slugs follow the rule of the model", () => {
  const titles = ["Collect commits", "  ../../etc  ", "日本語", "ÀB c!", "long ".repeat(200)];
  expect(titles.map((title) => edits.slugOf(title))).toEqual([
    "collect-commits",
    "etc",
    "node",
    "b-c",
    expect.stringMatching(/^(long-)+lo$/),
  ]);
  expect(edits.slugOf("long ".repeat(200)).length).toBeLessThanOrEqual(80);
});

test("a title becomes one line; an empty one changes nothing", () => {
  expect(edits.renameNode(plan, "a", "  two\n words ").nodes[0]?.title).toBe("two words");
  expect(edits.renameNode(plan, "a", "  \n")).toBe(plan);
  expect(edits.renameNode(plan, "a", "Title of a")).toBe(plan);
});

test("the first title of a new node sets its slug, unless the slug was set or is referred to", () => {
  const added = edits.addNode(plan, edits.blankNode(plan, "command", { x: 0, y: 0 }));
  const fresh = added.nodes.at(-1) ?? expect.unreachable();
  const named = edits.renameNode(added, fresh.id, "Collect commits");
  expect(named.nodes.at(-1)).toMatchObject({ title: "Collect commits", slug: "collect-commits" });
  expect(edits.renameNode(named, fresh.id, "Gather").nodes.at(-1)?.slug).toBe("collect-commits");

  const given = edits.changeNode(added, fresh.id, (node) => ({ ...node, slug: "mine" }));
  expect(edits.renameNode(given, fresh.id, "Collect").nodes.at(-1)?.slug).toBe("mine");

  const referred = edits.changeNode(added, "a", (node) => ({
    ...node,
    instructions: `{{nodes.${fresh.slug}.outputs.count}}`,
  }));
  expect(edits.renameNode(referred, fresh.id, "Collect").nodes.at(-1)?.slug).toBe(fresh.slug);
});

test("moving keeps the identity of other nodes", () => {
  const after = edits.place(plan, new Map([["b", { x: 1, y: 2 }]]));
  expect(after.nodes.map((node, at) => node === plan.nodes[at])).toEqual([true, false, true]);
  expect(edits.place(after, new Map([["b", { x: 1, y: 2 }]]))).toBe(after);
});

test("an edge changes its kind and replaces one of that kind", () => {
  let plan = planOf(["a", "b", "c"], ["a>b", "a>c"]);
  expect(edits.edgeKindsFor(plan, "a>b")).toEqual(["hard", "soft", "failure"]);
  plan = edits.changeNode(plan, "a", (node) => ({ ...node, kind: blankKind("condition") }));
  const branch = edits.changeEdgeKind(plan, "a>b", "true");
  expect(branch.edges.map((edge) => edge.child)).toEqual(["c"]);
  expect(edits.edgeKindOf(branch, "a#true")).toBe("true");
  const failure = edits.changeEdgeKind(branch, "a#true", "failure");
  expect(edits.edgeKindOf(failure, "a#true")).toBeUndefined();
  expect(failure.nodes[0]?.onFailure).toEqual({ node: "b" });
  const soft = edits.changeEdgeKind(failure, "a#failure", "soft");
  expect(edits.edgeKindOf(soft, "a>b")).toBe("soft");
  expect(soft.nodes[0]?.onFailure).toBe("abort");
  expect(edits.edgeKindOf(edits.changeEdgeKind(soft, "a>b", "hard"), "a>b")).toBe("hard");
  expect(edits.changeEdgeKind(plan, "a>b", "hard")).toBe(plan);
  expect(edits.changeEdgeKind(plan, "b>a", "soft")).toBe(plan);
});

test("an unconnected node is inserted into an edge and the group of both ends; a connected one is not", () => {
  const plan = makeGroup(planOf(["a", "b", "c"], ["a>b"]), "G", new Set(["a", "b"]));
  const after = edits.spliceInEdge(plan, "a>b", "c");
  expect(after.edges.map(({ parent, child }) => parent + child)).toEqual(["ac", "cb"]);
  expect(after.groups[0]?.nodes).toEqual(["a", "b", "c"]);
  expect(edits.spliceInEdge(after, "a>c", "b")).toBe(after);
});

test("nodes can be disabled and enabled again; notes can't", () => {
  const noted = edits.changeNode(plan, "c", (node) => ({
    ...node,
    kind: { kind: "note", text: "" },
  }));
  const all = new Set(["a", "b", "c"]);
  const off = edits.setDisabled(noted, all, true);
  expect(off.nodes.map((node) => node.disabled)).toEqual([true, true, undefined]);
  expect(edits.setDisabled(off, all, true)).toBe(off);
  expect(edits.setDisabled(off, all, false)).toEqual(noted);
});

test("editing 20,000 nodes at once is a single pass over the plan", () => {
  const large = wholePlan(20_000);
  const ids = large.nodes.map(({ id }) => id);
  const first = ids[0] ?? "";
  const jumping = large.nodes.map((node) => ({ ...node, onFailure: { node: first } }));
  // One pass per node would exceed the timeout of the test.
  const off = edits.setDisabled(large, new Set(ids), true);
  const keys = ids.map((parent) => conditionalEdgeKey({ parent, kind: "failure" }));
  const cut = edits.removeEdges({ ...large, nodes: jumping }, new Set(keys));
  expect(off.nodes.every(({ disabled }) => disabled)).toBe(true);
  expect(cut.nodes.every(({ onFailure }) => onFailure === "abort")).toBe(true);
});
