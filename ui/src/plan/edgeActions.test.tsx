import { expect, test } from "vitest";
import { useToasts } from "@/components/toasts";
import { openBlueprint } from "./openBlueprint";
import { planOf, viewOf } from "./planFixture";

const plan = planOf(["a", "b", "c"], ["a>b"]);
const open = (answers = {}) => openBlueprint(<p />, { view: viewOf(plan), answers });

const linksOf = ({ editor }: ReturnType<typeof open>) =>
  editor.getState().plan.edges.map(({ parent, child }) => `${parent}>${child}`);

test("draws an edge by keyboard, with a refusal on the way", () => {
  const { editor, edit, page } = open();
  editor.getState().select(["b"]);
  edit.startLink();
  edit.walk("left");
  edit.link();
  expect(page.getState().announcement).toBe(
    "Couldn't connect: would create a cycle: Title of b → Title of a → Title of b",
  );
  expect(page.getState().linking, "linking continues").toEqual(["b"]);
  edit.walk("right");
  edit.walk("right");
  edit.link();
  expect(editor.getState().plan.edges.at(-1)).toEqual({ parent: "b", child: "c", soft: false });
  expect(page.getState().linking).toBeUndefined();
});

test("the keyboard draws the branches of a condition, the true one first, then a plain edge", () => {
  const plain = planOf(["fork", "yes", "no", "both"], []);
  const kind = { kind: "condition", condition: "true", trueStep: null, falseStep: null } as const;
  const nodes = plain.nodes.map((node) => (node.id === "fork" ? { ...node, kind } : node));
  const { editor, edit, page } = openBlueprint(<div />, { view: viewOf({ ...plain, nodes }) });
  for (const child of ["yes", "no", "both"]) {
    editor.getState().select(["fork"]);
    edit.startLink();
    editor.getState().select([child]);
    edit.link();
  }
  const { plan } = editor.getState();
  expect(plan.nodes[0]?.kind).toMatchObject({ trueStep: "yes", falseStep: "no" });
  expect(plan.edges).toEqual([{ parent: "fork", child: "both", soft: false }]);
  expect(page.getState().linking).toBeUndefined();
});

test("a node that is added after another one depends on it, in the free branch of a condition", () => {
  const plain = planOf(["fork"], []);
  const kind = { kind: "condition", condition: "true", trueStep: null, falseStep: null } as const;
  const nodes = plain.nodes.map((node) => ({ ...node, kind }));
  const { editor, edit, page } = openBlueprint(<div />, { view: viewOf({ ...plain, nodes }) });
  const added = () => {
    editor.getState().select(["fork"]);
    edit.pickNext();
    const { picker } = page.getState();
    edit.add("command", picker);
    return editor.getState().plan.nodes.at(-1)?.id;
  };
  const [whenTrue, whenFalse, always] = [added(), added(), added()];
  const { plan } = editor.getState();
  expect(plan.nodes[0]?.kind).toMatchObject({ trueStep: whenTrue, falseStep: whenFalse });
  expect(plan.edges).toEqual([{ parent: "fork", child: always, soft: false }]);
});

test("an edge is selected at its node, moved by keyboard, and refused where it would create a cycle", () => {
  const { editor, edit, page } = open();
  editor.getState().select(["b"]);
  edit.nextEdge();
  expect([...editor.getState().selectedEdges]).toEqual(["a>b"]);
  edit.startRelink();
  expect([...editor.getState().selection], "starts at its target").toEqual(["b"]);
  editor.getState().select(["a"]);
  edit.link();
  expect(page.getState().announcement).toBe(
    "Couldn't move the edge: a node can't depend on itself",
  );
  editor.getState().select(["c"]);
  edit.link();
  expect(editor.getState().plan.edges).toEqual([{ parent: "a", child: "c", soft: false }]);
  expect(editor.getState().undoLabel).toBe("Move edge");
  expect(page.getState().linking).toBeUndefined();
});

test("the edges of a node are selected in turn, outgoing ones first", () => {
  const { editor, edit, page } = openBlueprint(<p />, {
    view: viewOf(planOf(["a", "b", "c"], ["a>b", "b>c"])),
  });
  const chosen = () => {
    // While an edge is selected, no node is; in the window the focus stays on the card.
    editor.getState().select(["b"], editor.getState().selectedEdges);
    edit.nextEdge();
    return [...editor.getState().selectedEdges];
  };
  expect([chosen(), chosen(), chosen()]).toEqual([["b>c"], ["a>b"], ["b>c"]]);
  expect(page.getState().announcement).toBe("Edge 1 of 2, from Title of b to Title of c");
});

test("a branch that covers a plain edge is one edge to select", () => {
  const start = planOf(["if", "yes"], ["if>yes"]);
  const nodes = start.nodes.map((node) =>
    node.id === "if"
      ? {
          ...node,
          kind: { kind: "condition" as const, condition: "x", trueStep: "yes", falseStep: null },
        }
      : node,
  );
  const { editor, edit, page } = openBlueprint(<p />, { view: viewOf({ ...start, nodes }) });
  editor.getState().select(["yes"]);
  edit.nextEdge();
  expect([...editor.getState().selectedEdges]).toEqual(["if#true"]);
  expect(page.getState().announcement).toContain("Edge 1 of 1");
});

test("an arrow key follows the selected edge", () => {
  const { editor, edit } = open();
  editor.getState().select([], ["a>b"]);
  edit.walk("right");
  expect([...editor.getState().selection]).toEqual(["b"]);
});

test("several nodes are connected to one in a single step, and what is skipped is said", () => {
  const names = ["a", "b", "c", "d", "note", "end"];
  const start = planOf(names, ["a>end", "end>d"]);
  const nodes = start.nodes.map((node) =>
    node.id === "note" ? { ...node, kind: { kind: "note" as const, text: "" } } : node,
  );
  const { editor, edit, page } = openBlueprint(<p />, { view: viewOf({ ...start, nodes }) });
  editor.getState().select(["a", "b", "c", "d", "note"]);
  edit.startLink();
  expect(page.getState().announcement).toBe(
    "Connecting from 4 nodes. Go to the node that should depend on them and press Enter.",
  );
  editor.getState().select(["end"]);
  edit.link();
  const links = () => editor.getState().plan.edges.map(({ parent, child }) => `${parent}>${child}`);
  expect(links()).toEqual(["a>end", "end>d", "b>end", "c>end"]);
  expect(page.getState().linking).toBeUndefined();
  expect(useToasts.getState().toasts.at(-1)).toMatchObject({
    title: "Title of end now depends on 2 nodes",
    detail: "1 is already connected and 1 would create a cycle.",
  });
  expect(editor.getState().undoLabel).toBe("Connect 2 nodes");
  editor.getState().undo();
  expect(links()).toEqual(["a>end", "end>d"]);
});

test("several nodes of which none can be connected change nothing", () => {
  const { editor, edit, page } = openBlueprint(<p />, {
    view: viewOf(planOf(["a", "b", "end"], ["a>end", "b>end"])),
  });
  editor.getState().select(["a", "b"]);
  edit.startLink();
  editor.getState().select(["end"]);
  edit.link();
  expect(page.getState().announcement).toBe("Couldn't connect: 2 are already connected");
  expect(page.getState().linking, "linking continues").toEqual(["a", "b"]);
  expect(editor.getState().canUndo).toBe(false);
});

test("a node added after several depends on all of them, beside their middle", () => {
  const { editor, edit, page } = openBlueprint(<p />, {
    view: viewOf(planOf(["a", "b", "c"], [])),
  });
  editor.getState().select(["a", "c"]);
  edit.pickNext();
  const { picker } = page.getState();
  expect(picker).toMatchObject({ link: { nodes: ["a", "c"], as: "parent" }, at: { x: 884, y: 0 } });
  edit.add("agent", picker);
  const { plan: after } = editor.getState();
  const added = after.nodes.at(-1)?.id;
  expect(after.edges.map(({ parent, child }) => [parent, child])).toEqual([
    ["a", added],
    ["c", added],
  ]);
  editor.getState().undo();
  expect(editor.getState().plan.nodes).toHaveLength(3);
});

test("a node that was deleted meanwhile is not connected", () => {
  const blueprint = openBlueprint(<p />, { view: viewOf(planOf(["a", "b", "c"], [])) });
  const { editor, edit, page } = blueprint;
  editor.getState().select(["a", "b"]);
  edit.startLink();
  editor.getState().select(["b"]);
  edit.remove();
  editor.getState().select(["c"]);
  edit.link();
  expect(linksOf(blueprint)).toEqual(["a>c"]);
  expect(page.getState().linking).toBeUndefined();
});

test.each([[["a"]], [["a", "b"]]])("connecting from %j ends when all of it was deleted", (from) => {
  const blueprint = openBlueprint(<p />, { view: viewOf(planOf(["a", "b", "c"], [])) });
  const { editor, edit, page } = blueprint;
  editor.getState().select(from);
  edit.startLink();
  edit.remove();
  editor.getState().select(["c"]);
  edit.link();
  expect(linksOf(blueprint)).toEqual([]);
  expect(page.getState().linking).toBeUndefined();
  expect(page.getState().announcement).toBe("Connecting ended, as its start was deleted");
});

test("moving an edge ends when the edge was deleted", () => {
  const blueprint = open();
  const { editor, edit, page } = blueprint;
  editor.getState().select([], ["a>b"]);
  edit.startRelink();
  edit.removeEdge("a>b");
  editor.getState().select(["c"]);
  edit.link();
  expect(linksOf(blueprint)).toEqual([]);
  expect(editor.getState().undoLabel).toBe("Delete edge");
  expect(page.getState().linking).toBeUndefined();
});

test("several nodes get the same edges to a new node as to one that was there", () => {
  const start = planOf(["a", "fork", "note", "end"], []);
  const kinds = {
    fork: { kind: "condition", condition: "true", trueStep: "end", falseStep: null } as const,
    note: { kind: "note", text: "" } as const,
  };
  const nodes = start.nodes.map((node) =>
    node.id === "fork" || node.id === "note" ? { ...node, kind: kinds[node.id] } : node,
  );
  const { editor, edit } = openBlueprint(<p />, { view: viewOf({ ...start, nodes }) });
  const link = { nodes: ["a", "fork", "note", "gone"], as: "parent" as const };
  edit.add("agent", { at: { x: 0, y: 600 }, link });
  const { plan: after } = editor.getState();
  const added = after.nodes.at(-1)?.id;
  expect(after.edges).toEqual([{ parent: "a", child: added, soft: false }]);
  expect(after.nodes[1]?.kind).toMatchObject({ trueStep: "end", falseStep: added });
});

test("one node that is gone gets no edge to a new node", () => {
  const blueprint = open();
  blueprint.edit.add("agent", { link: { nodes: ["gone"], as: "parent" } });
  expect(linksOf(blueprint)).toEqual(["a>b"]);
});
