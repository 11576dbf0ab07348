// @vitest-environment node
import { expect, test } from "vitest";
import type { Plan } from "@/api/bindings";
import { edgeKey } from "./edgeKey";
import { addNode, blankNode, connect, removeEdges, removeNodes, renameNode } from "./edits";
import { externalChangeText } from "./externalChangeText";
import { makeGroup } from "./groups";
import type { KindName } from "./kinds";
import { planOf } from "./planFixture";
import { withStructuralSharing } from "./structuralSharing";

const before = planOf(["a", "b", "c"], ["a>b"]);
const ids = (...names: string[]) => new Set(names);

test.each<[string, (plan: Plan) => Plan, string | undefined]>([
  ["nothing", (plan) => plan, undefined],
  ["a name", (plan) => renameNode(plan, "a", "Build"), "Build changed"],
  ["two names", (plan) => renameNode(renameNode(plan, "a", "x"), "b", "y"), "2 nodes changed"],
  ["a removed node", (plan) => removeNodes(plan, ids("a")), "Title of a removed"],
  [
    "one removed and one added",
    (plan) => addNode(removeNodes(plan, ids("c")), blankNode(plan, "note", { x: 0, y: 0 })),
    "Title of c removed, Note added",
  ],
  [
    "a node and a note added",
    (plan) =>
      ["command", "note"].reduce(
        (now, kind) => addNode(now, blankNode(now, kind as KindName, { x: 0, y: 0 })),
        plan,
      ),
    "1 node and 1 note added",
  ],
  ["an edge", (plan) => connect(plan, "b", "c"), "edges changed"],
  ["no edge", (plan) => removeEdges(plan, new Set(plan.edges.map(edgeKey))), "edges changed"],
  ["a group", (plan) => makeGroup(plan, "g", ids("a", "b")), "groups changed"],
  ["the title", (plan) => ({ ...plan, title: "Other" }), "blueprint settings"],
])("reports an external change of %s", (_, change, words) => {
  // Like a plan from the backend: equal content in other objects.
  const after = withStructuralSharing(structuredClone(change(before)), before);
  expect(externalChangeText(before, after)).toBe(words && `Changed elsewhere: ${words}`);
});
