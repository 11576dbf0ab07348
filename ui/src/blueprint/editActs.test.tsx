import { expect, test } from "vitest";
import { openBlueprint } from "./openBlueprint";
import { planOf, viewOf } from "./planFixture";

const plan = planOf(["a", "b", "c"], ["a>b"]);
const open = (answers = {}) => openBlueprint(<p />, { view: viewOf(plan), answers });

test("an edge drawn by keyboard: walk, hear the refusal, walk on, connect", () => {
  const { editor, edit, page } = open();
  editor.getState().select(["b"]);
  edit.startLink();
  edit.walk("left");
  edit.link();
  expect(page.getState().announcement).toBe(
    "Not connected: would close a cycle: Title of b → Title of a → Title of b",
  );
  expect(page.getState().linking, "the person may walk on").toBe("b");
  edit.walk("right");
  edit.walk("right");
  edit.link();
  expect(editor.getState().plan.edges.at(-1)).toEqual({ parent: "b", child: "c", soft: false });
  expect(page.getState().linking).toBeUndefined();
});

test("deleting, pasting and duplicating many nodes are one step each", () => {
  const { editor, edit } = open();
  edit.selectAll();
  const text = edit.copy();
  edit.remove();
  expect(editor.getState().plan.nodes).toEqual([]);
  expect(edit.paste(text ?? "")).toBe(true);
  edit.duplicate();
  expect(editor.getState().plan.nodes).toHaveLength(6);
  for (let step = 0; step < 3; step += 1) editor.getState().undo();
  expect(editor.getState().plan).toBe(plan);
  expect(editor.getState().canUndo).toBe(false);
});

test("a layout that comes late does not undo what was edited meanwhile", async () => {
  const { editor, edit } = open({
    plan_arrange: [{ node: "a", position: { x: 40, y: 40 } }],
  });
  const tidied = edit.tidy();
  edit.rename("b", "Renamed meanwhile");
  await tidied;
  const [a, b] = editor.getState().plan.nodes;
  expect(a?.position).toEqual({ x: 40, y: 40 });
  expect(b?.title).toBe("Renamed meanwhile");
  editor.getState().undo();
  expect(editor.getState().plan.nodes[0]?.position).toEqual({ x: 0, y: 0 });
});

test("a new node stands beside the selected one and waits for its title", () => {
  const { editor, edit, page } = open();
  editor.getState().select(["c"]);
  edit.add("agent");
  const added = editor.getState().plan.nodes.at(-1);
  expect(added?.position).toEqual({ x: 884, y: 0 });
  expect(page.getState().renaming).toBe(added?.id);
  expect([...editor.getState().selection]).toEqual([added?.id]);
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
