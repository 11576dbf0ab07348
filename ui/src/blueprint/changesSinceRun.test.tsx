import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { NodeState, Plan } from "@/api/bindings";
import { changesSinceRun, changesSinceRunText, nodeChangeNotice } from "@/plan/changesSinceRun";
import { addNode, blankNode, connect, place, removeNodes, renameNode } from "@/plan/edits";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { ChangesSinceRunBanner } from "./ChangesSinceRunBanner";

const executed = planOf(["a", "b", "c"], ["a>b"]);

/** Reverses the key order: plans from the backend may list their keys in another order. */
function rewritten(plan: Plan): Plan {
  const turned = <Of extends object>(of: Of) =>
    Object.fromEntries(Object.entries(of).reverse()) as Of;
  const nodes = plan.nodes.map((node) => turned({ ...node, kind: turned(node.kind) }));
  return { ...plan, nodes, settings: turned(plan.settings) };
}

test.each<[string, (plan: Plan) => Plan, string | undefined]>([
  ["nothing", (plan) => plan, undefined],
  ["a copy as it comes from the backend", (plan) => structuredClone(plan), undefined],
  ["the same with another key order", rewritten, undefined],
  [
    "a field set to undefined",
    (plan) => ({
      ...plan,
      nodes: plan.nodes.map((node) => ({ agent: undefined, ...node }) as never),
    }),
    undefined,
  ],
  ["moved nodes", (plan) => place(plan, new Map([["a", { x: 9, y: 9 }]])), undefined],
  ["a note", (plan) => addNode(plan, blankNode(plan, "note", { x: 0, y: 0 })), undefined],
  ["the title of the blueprint", (plan) => ({ ...plan, title: "Other" }), undefined],
  [
    "an edge drawn in another order",
    (plan) => ({ ...plan, edges: [...plan.edges].reverse() }),
    undefined,
  ],
  ["a title", (plan) => renameNode(plan, "a", "Other"), "1 node changed"],
  ["an edge", (plan) => connect(plan, "b", "c"), "1 node changed"],
  ["a node", (plan) => addNode(plan, blankNode(plan, "command", { x: 0, y: 0 })), "1 node added"],
  [
    "a deleted node with its edge",
    (plan) => removeNodes(plan, new Set(["a"])),
    "1 node changed and 1 node removed",
  ],
  [
    "the goal and a node",
    (plan) => ({ ...renameNode(plan, "c", "Other"), description: "Ship" }),
    "1 node changed and blueprint settings changed",
  ],
])("%s", (_, edit, words) => {
  const since = changesSinceRun(edit(executed), executed);
  expect(since && changesSinceRunText(since)).toBe(words);
});

test.each<[NodeState, RegExp]>([
  [{ state: "pending" }, /takes effect in the next run. To affect this run, pin/],
  [{ state: "running" }, /answer its questions/],
  [{ state: "done", byHand: false }, /edit its handoff/],
])("a changed node that is %j explains how to affect the run", (state, words) => {
  const plan = renameNode(executed, "a", "Other");
  const [node] = plan.nodes;
  const run = runOf(executed, { a: state }, { version: 3 });
  if (!node) throw new Error("the plan has nodes");
  expect(nodeChangeNotice(node, plan, run, run.nodes[0])).toMatch(words);
  expect(nodeChangeNotice(node, plan, run, run.nodes[0])).toContain("version 3");
});

test("a node added after the start is marked, unless the run has ended", () => {
  const node = blankNode(executed, "command", { x: 0, y: 0 });
  const plan = addNode(executed, node);
  expect(nodeChangeNotice(node, plan, runOf(executed, {}), undefined)).toMatch(/^Added after/);
  const ended = runOf(executed, {}, { state: { state: "completed" } });
  expect(nodeChangeNotice(node, plan, ended, undefined)).toBeUndefined();
});

test("an active run shows its version and the changed nodes, until undo", async () => {
  const { editor } = openBlueprint(<ChangesSinceRunBanner />, {
    view: viewOf(executed, { version: 4 }),
    run: runOf(executed, {}, { version: 3 }),
  });
  expect(screen.queryByRole("status")).toBeNull();
  editor.getState().edit("Rename node", (plan) => renameNode(plan, "b", "Other"));
  expect(await screen.findByRole("status")).toHaveTextContent(
    "This run uses version 3. Edits since then take effect in the next run: 1 node changed.",
  );
  await userEvent.click(screen.getByRole("button", { name: "Show changed nodes" }));
  expect([...editor.getState().selection]).toEqual(["b"]);
  editor.getState().undo();
  await expect.poll(() => screen.queryByRole("status")).toBeNull();
});
