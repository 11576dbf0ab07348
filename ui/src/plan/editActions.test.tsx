import { expect, test, vi } from "vitest";
import { setCanvasPointer } from "./canvasPointer";
import { openBlueprint } from "./openBlueprint";
import { planOf, viewOf } from "./planFixture";

const plan = planOf(["a", "b", "c"], ["a>b"]);
const open = (answers = {}) => openBlueprint(<p />, { view: viewOf(plan), answers });

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

test("copies are placed beside their originals, on nothing, and in view", () => {
  const { editor, edit, page } = open();
  const bringIntoView = vi.fn();
  page.setState({
    canvas: { bringIntoView } as unknown as NonNullable<ReturnType<typeof page.getState>["canvas"]>,
  });
  for (let copies = 0; copies < 3; copies += 1) {
    editor.getState().select(["a"]);
    edit.duplicate();
    const added = editor.getState().plan.nodes.at(-1);
    expect(bringIntoView).toHaveBeenLastCalledWith(added?.id);
  }
  const places = editor.getState().plan.nodes.map(({ position }) => position ?? { x: 0, y: 0 });
  for (const [at, one] of places.entries())
    for (const other of places.slice(at + 1))
      expect(Math.abs(one.x - other.x) >= 220 || Math.abs(one.y - other.y) >= 64).toBe(true);
  // The nearest free place is in the column of the original.
  expect(new Set(places.slice(3).map(({ x }) => x))).toEqual(new Set([0]));
});

test("a layout that arrives late does not undo edits made in the meantime", async () => {
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

test("a layout that arrives late does not move nodes moved in the meantime", async () => {
  const { editor, edit } = open({
    plan_arrange: [
      { node: "a", position: { x: 40, y: 40 } },
      { node: "b", position: { x: 80, y: 80 } },
    ],
  });
  const tidied = edit.tidy();
  edit.move(new Map([["b", { x: 500, y: 500 }]]));
  await tidied;
  const [a, b] = editor.getState().plan.nodes;
  expect(a?.position).toEqual({ x: 40, y: 40 });
  expect(b?.position).toEqual({ x: 500, y: 500 });
});

test("a selection is tidied separately, as one step", async () => {
  const { editor, edit } = open({ plan_arrange: [{ node: "a", position: { x: 40, y: 40 } }] });
  editor.getState().select(["a", "b"]);
  await edit.tidy({ selected: true });
  expect(editor.getState().undoLabel).toBe("Tidy 2 nodes");
});

test("nodes keep their place until they are released", () => {
  const { editor, edit } = open();
  editor.getState().select(["a", "b"]);
  edit.keepPlace(true);
  expect(editor.getState().plan.nodes.map((node) => node.keepsPlace)).toEqual([
    true,
    true,
    undefined,
  ]);
  edit.keepPlace(false);
  expect(editor.getState().plan.nodes).toEqual(plan.nodes);
  editor.getState().undo();
  expect(editor.getState().plan.nodes[0]?.keepsPlace).toBe(true);
});

test("a pasted flowchart becomes nodes with new ids, as one step", async () => {
  const pasted = { ...planOf(["x", "y"], ["x>y"]), id: "other" };
  const { editor, edit } = open({ plan_read: { plan: pasted, warnings: [] } });
  expect(edit.paste("flowchart LR\n x --> y")).toBe(true);
  await vi.waitFor(() => expect(editor.getState().plan.nodes).toHaveLength(5));
  expect(editor.getState().plan.edges).toHaveLength(2);
  expect(new Set(editor.getState().plan.nodes.map((node) => node.slug)).size).toBe(5);
  editor.getState().undo();
  expect(editor.getState().plan).toBe(plan);
  expect(edit.paste("Buy milk"), "ordinary text is not pasted").toBe(false);
});

test("a new node is placed next to the selected one and waits for its title", () => {
  const { editor, edit, page } = open();
  editor.getState().select(["c"]);
  edit.add("agent");
  const added = editor.getState().plan.nodes.at(-1);
  expect(added?.position).toEqual({ x: 884, y: 0 });
  expect(page.getState().renaming).toBe(added?.id);
  expect([...editor.getState().selection]).toEqual([added?.id]);
});

test("delete and reconnect, replace and splice are one step each", () => {
  const { editor, edit, page } = open();
  editor.getState().edit("Connect", (before) => ({
    ...before,
    edges: [...before.edges, { parent: "b", child: "c", soft: false }],
  }));
  const start = editor.getState().plan;
  editor.getState().select(["b"]);
  edit.heal();
  expect(editor.getState().plan.edges).toEqual([{ parent: "a", child: "c", soft: false }]);
  expect(editor.getState().undoLabel).toBe("Delete and reconnect 1 node");
  editor.getState().undo();
  edit.replace("b", "user_input");
  expect(editor.getState().plan.nodes[1]?.kind.kind).toBe("user_input");
  expect(page.getState().announcement).toBe("Title of b changed to question");
  editor.getState().undo();
  editor.getState().select([]);
  edit.add("agent", { at: { x: 900, y: 900 } });
  const added = editor.getState().plan.nodes.at(-1)?.id ?? "";
  edit.splice("a>b", added, { x: 120, y: 40 });
  const { edges, nodes } = editor.getState().plan;
  expect(edges.map(({ parent, child }) => [parent, child])).toEqual([
    ["a", added],
    [added, "b"],
    ["b", "c"],
  ]);
  expect(nodes.map(({ position }) => position)).toEqual([
    { x: 0, y: 0 },
    { x: 568, y: 0 },
    { x: 868, y: 0 },
    { x: 284, y: 40 },
  ]);
  editor.getState().undo();
  editor.getState().undo();
  expect(editor.getState().plan).toBe(start);
});

test("a node added into an edge pushes what follows, and a wide edge leaves it in place", () => {
  const { editor, edit } = open();
  const places = () => editor.getState().plan.nodes.map(({ position }) => position?.x);
  edit.add("agent", { edge: "a>b", at: { x: 150, y: 0 } });
  expect(places(), "`c` is pushed by `b`").toEqual([0, 568, 868, 284]);
  expect(editor.getState().undoLabel).toBe("Add new agent node");
  editor.getState().undo();
  expect(editor.getState().plan, "one step").toBe(plan);
  edit.move(new Map([["b", { x: 800, y: 0 }]]));
  edit.add("agent", { edge: "a>b", at: { x: 400, y: 0 } });
  expect(places()).toEqual([0, 800, 600, 400]);
});

test("paste can keep incoming edges, and a faulty text is reported and not pasted", () => {
  const { editor, edit } = open();
  editor.getState().select(["b"]);
  const text = edit.copy() ?? "";
  edit.paste(text);
  expect(editor.getState().plan.edges).toHaveLength(1);
  edit.paste(text, true);
  expect(editor.getState().plan.edges.at(-1)).toMatchObject({ parent: "a", soft: false });
  const before = editor.getState().plan;
  expect(edit.paste('{"format":"baton/nodes@1","nodes":[1]}'), "it was recognized as nodes").toBe(
    true,
  );
  expect(editor.getState().plan).toBe(before);
});

test("a group is made, copied, collapsed and dissolved", () => {
  const { editor, edit, page } = open();
  editor.getState().select(["a", "b"]);
  edit.group();
  const [group] = editor.getState().plan.groups;
  expect(group?.nodes).toEqual(["a", "b"]);
  expect(page.getState().renamingGroup).toBe(group?.id);
  edit.renameGroup(group?.id ?? "", "Checks");
  edit.duplicate();
  const copy = editor.getState().plan.groups[1];
  expect(copy).toMatchObject({ title: "Checks" });
  expect(copy?.nodes).toEqual([...editor.getState().selection]);
  edit.collapse(true);
  expect([...page.getState().collapsed], "the selected copy").toEqual([copy?.id]);
  expect(editor.getState().undoLabel, "collapsing is not an edit").toBe("Duplicate 2 nodes");
  edit.ungroup();
  expect(editor.getState().plan.groups).toHaveLength(1);
  expect(editor.getState().plan.nodes).toHaveLength(5);
});

test("aligning is one step, and none if the nodes are already aligned", () => {
  const { editor, edit } = open();
  editor.getState().select(["a", "b", "c"]);
  edit.align("left");
  expect(editor.getState().plan.nodes.map((node) => node.position?.x)).toEqual([0, 0, 0]);
  edit.align("left");
  editor.getState().undo();
  expect(editor.getState().canUndo).toBe(false);
});

test("repeated nudges are one step", () => {
  const { editor, edit } = open();
  editor.getState().select(["a", "b"]);
  const stood = editor.getState().plan.nodes.map(({ position }) => position);
  edit.nudge({ x: 40, y: 0 });
  edit.nudge({ x: 0, y: 40 });
  const now = editor.getState().plan.nodes.map(({ position }) => position);
  expect(now[0]).toEqual({ x: (stood[0]?.x ?? 0) + 40, y: (stood[0]?.y ?? 0) + 40 });
  expect(now[2], "unselected nodes stay").toEqual(stood[2]);
  editor.getState().undo();
  expect(editor.getState().plan).toBe(plan);
});

test("several nodes are selected one by one", () => {
  const { editor, edit, page } = open();
  editor.getState().select(["a", "b"]);
  edit.toggle();
  expect([...editor.getState().selection]).toEqual(["a"]);
  expect(page.getState().announcement).toBe("Title of b not selected, 1 node total");
});

test("nodes are pasted at the pointer over the canvas, or else where nothing is covered", () => {
  const { editor, edit, page } = open();
  const canvas = {
    toPlan: ({ x, y }: { x: number; y: number }) => ({ x: x * 10, y: y * 10 }),
    middle: () => ({ x: 500, y: 32 }),
    bringIntoView: vi.fn(),
  };
  page.setState({ canvas: canvas as never });
  edit.selectAll();
  editor.getState().select(["a"]);
  const text = edit.copy() ?? "";
  const pasted = () => editor.getState().plan.nodes.at(-1)?.position;
  setCanvasPointer({ x: 100, y: 200 });
  edit.paste(text);
  expect(pasted()).toEqual({ x: 1_000, y: 2_000 });
  edit.paste(text);
  expect(pasted()?.x, "below the copy that is there").toBe(1_000);
  expect(pasted()?.y).toBeGreaterThanOrEqual(2_064);
  setCanvasPointer(undefined);
  edit.paste(text);
  expect(pasted(), "the card of `b` is at the middle of the view").toEqual({ x: 392, y: 92 });
});

test("after Escape, Enter and arrow keys select the card that still has the focus", () => {
  const card = <div className="react-flow__node" data-id="a" tabIndex={-1} />;
  const { editor, edit } = openBlueprint(card, { view: viewOf(planOf(["a"], [])) });
  document.querySelector<HTMLElement>(".react-flow__node")?.focus();
  edit.selectFocused();
  expect([...editor.getState().selection]).toEqual(["a"]);
  editor.getState().select([]);
  edit.walk("right");
  expect([...editor.getState().selection], "without a neighbor").toEqual(["a"]);
});

test("arrow keys continue at copies, not at the card that had the focus before", async () => {
  const card = <div className="react-flow__node" data-id="a" tabIndex={-1} />;
  const { editor, edit, page } = openBlueprint(card, { view: viewOf(planOf(["a"], [])) });
  const focus = vi.fn();
  page.setState({ canvas: { focus, bringIntoView: vi.fn(), placeOf: () => undefined } as never });
  document.querySelector<HTMLElement>(".react-flow__node")?.focus();
  editor.getState().select(["a"]);
  edit.duplicate();
  await vi.waitFor(() => expect(focus).toHaveBeenCalledOnce());
});

test("a node dropped where there is no room is brought into view", () => {
  const { editor, edit, page } = openBlueprint(<p />, { view: viewOf(planOf(["a"], [])) });
  const bringIntoView = vi.fn();
  page.setState({ canvas: { bringIntoView } as never });
  edit.add("agent", { at: { x: 400, y: 0 } });
  expect(bringIntoView, "it is under the pointer").not.toHaveBeenCalled();
  edit.add("agent", { at: { x: 404, y: 4 } });
  const last = editor.getState().plan.nodes.at(-1);
  expect(last?.position).toEqual({ x: 404, y: 96 });
  expect(bringIntoView).toHaveBeenCalledExactlyOnceWith(last?.id);
});
