import type { FinalConnectionState } from "@xyflow/react";
import { expect, test, vi } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { createScene, nodeAt } from "./scene";
import type { PlanEdge } from "./toEdges";
import { useLinking } from "./useLinking";

// `a`, `b` and `c` are at 0, 300 and 600 across.
const plan = planOf(["a", "b", "c"], ["a>b"]);
const collapsed = createScene(planOf(["a", "b", "c", "group"], []), new Map());

function open() {
  const held: { acts?: ReturnType<typeof useLinking>["acts"] } = {};
  function Part() {
    const same = (place: { x: number; y: number }) => place;
    const { acts } = useLinking(
      same,
      (place) => nodeAt(collapsed, place),
      () => false,
    );
    held.acts = acts;
    return null;
  }
  const opened = openBlueprint(<Part />, { view: viewOf(plan) });
  const links = () =>
    opened.editor.getState().plan.edges.map(({ parent, child }) => `${parent}>${child}`);
  const { acts } = held;
  if (!acts) throw new Error("the part is not rendered");
  return { ...opened, acts, links };
}

const at = (clientX: number, clientY: number) => new MouseEvent("mouseup", { clientX, clientY });
const from = (id: string, type: "source" | "target") =>
  ({
    isValid: false,
    toNode: null,
    fromNode: { id },
    fromHandle: { type, id: null },
  }) as unknown as FinalConnectionState;

test.each<[string, string, "source" | "target", MouseEvent, string[]]>([
  ["on a card beside its handle", "b", "source", at(620, 20), ["a>b", "b>c"]],
  ["backward on a card", "b", "target", at(620, 20), ["a>b", "c>b"]],
  ["on its own card", "b", "source", at(320, 20), ["a>b"]],
  ["on the card of a collapsed group", "b", "source", at(920, 20), ["a>b"]],
  ["where it would close a cycle", "b", "source", at(20, 20), ["a>b"]],
])("an edge dropped %s adds no node", (_, id, type, event, expected) => {
  const { acts, links, page } = open();
  acts.onConnectEnd(event, from(id, type));
  expect(links()).toEqual(expected);
  expect(page.getState().picker).toBeUndefined();
});

test("a drawn edge leaves the focus where the selection is", () => {
  const { acts, page } = open();
  const focus = vi.fn();
  page.setState({ canvas: { focus } as never });
  acts.onConnectEnd(at(620, 20), from("b", "source"));
  expect(focus).toHaveBeenCalledOnce();
});

test("an edge dropped on the empty canvas asks for its node", () => {
  const { acts, page } = open();
  acts.onConnectEnd(at(620, 300), from("b", "source"));
  expect(page.getState().picker?.link).toMatchObject({ nodes: ["b"], as: "parent" });
});

test("an end moved to a card is attached there, and one moved to nothing deletes the edge", () => {
  const { acts, links } = open();
  const edge = { id: "a>b", source: "a", target: "b" } as PlanEdge;
  acts.onReconnectEnd(at(920, 20), edge, undefined, from("a", "source"));
  expect(links(), "a collapsed group is no end").toEqual(["a>b"]);
  acts.onReconnectEnd(at(620, 20), edge, undefined, from("a", "source"));
  expect(links()).toEqual(["a>c"]);
  acts.onReconnectEnd(at(620, 300), { ...edge, id: "a>c" }, undefined, from("a", "source"));
  expect(links()).toEqual([]);
});

test("an edge drawn from one of several selected nodes is drawn from all of them", () => {
  const { acts, links, editor, page } = open();
  editor.getState().select(["a", "b"]);
  acts.onConnectEnd(at(620, 20), from("b", "source"));
  expect(links()).toEqual(["a>b", "a>c", "b>c"]);
  editor.getState().undo();
  expect(links(), "one step").toEqual(["a>b"]);
  acts.onConnectEnd(at(620, 300), from("b", "source"));
  expect(page.getState().picker?.link).toMatchObject({ nodes: ["a", "b"], as: "parent" });
});

test("an edge drawn from a node beside the selection is drawn from it alone", () => {
  const { acts, links, editor } = open();
  editor.getState().select(["a", "c"]);
  acts.onConnectEnd(at(620, 20), from("b", "source"));
  expect(links()).toEqual(["a>b", "b>c"]);
});

test("an edge from several nodes is allowed where one of them can be connected", () => {
  const { acts, editor } = open();
  editor.getState().select(["b", "c"]);
  const ends = { source: "b", target: "a", sourceHandle: null, targetHandle: null };
  expect(acts.isValidConnection(ends)).toBe(true);
  editor.getState().select(["b"]);
  expect(acts.isValidConnection(ends), "a cycle").toBe(false);
});
