import { act } from "@testing-library/react";
import { ReactFlowProvider, useStoreApi } from "@xyflow/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { CommandHandler } from "@/commands/command";
import { createScene } from "@/graph/scene";
import { useCanvasHandle } from "@/graph/useCanvasHandle";
import { useEditor } from "@/plan/editor";
import { place, setDisabled } from "@/plan/edits";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { editHandlers } from "./edit";

function open() {
  const blueprint = openBlueprint(<p />, { view: viewOf(planOf(["a", "b"], [])) });
  const bringAnyIntoView = vi.fn();
  blueprint.page.setState({ canvas: { bringAnyIntoView, bringIntoView: vi.fn() } as never });
  return { ...blueprint, bringAnyIntoView, handlers: editHandlers(blueprint) };
}

const run = (handler: CommandHandler) => "run" in handler && handler.run();

test("undo and redo bring the node of the step into view", () => {
  const { editor, edit, bringAnyIntoView, handlers } = open();
  editor.getState().select(["a"]);
  edit.rename("a", "First");
  editor.getState().select(["b"]);
  edit.rename("b", "Second");
  editor.getState().select([]);
  run(handlers.undo);
  expect(bringAnyIntoView).toHaveBeenLastCalledWith(["b"]);
  run(handlers.undo);
  expect(bringAnyIntoView).toHaveBeenLastCalledWith(["a"]);
  run(handlers.redo);
  expect(bringAnyIntoView).toHaveBeenCalledTimes(3);
});

test("undo brings what the step changed into view, not what was selected before it", () => {
  const { editor, edit, bringAnyIntoView, handlers } = open();
  editor.getState().select(["a"]);
  edit.rename("b", "Renamed");
  run(handlers.undo);
  expect(bringAnyIntoView).toHaveBeenLastCalledWith(["b"]);
});

test("undoing a new node moves no view, as it is gone", () => {
  const { editor, edit, bringAnyIntoView, handlers } = open();
  editor.getState().select(["a"]);
  edit.add("agent", { at: { x: 9_000, y: 0 } });
  run(handlers.undo);
  expect([...editor.getState().selection]).toEqual(["a"]);
  expect(bringAnyIntoView).not.toHaveBeenCalled();
});

test("undoing several steps at once brings the node of the last one into view", () => {
  const { editor, edit, bringAnyIntoView, handlers } = open();
  editor.getState().select(["b"]);
  edit.rename("b", "First");
  editor.getState().select(["a"]);
  edit.rename("a", "Second");
  const { undo_steps: several } = handlers;
  const choices = "choices" in several ? several.choices() : [];
  if ("then" in choices) throw new Error("the steps are known at once");
  const second = choices[1];
  if (second && "run" in second) second.run();
  expect(bringAnyIntoView).toHaveBeenLastCalledWith(["b", "a"]);
});

describe("on the canvas", () => {
  afterEach(() => vi.unstubAllGlobals());
  const box = new DOMRect(0, 0, 1_000, 600);
  const frame = { current: document.createElement("div") };
  frame.current.getBoundingClientRect = () => box;
  const setViewport = vi.fn();

  /** The real handle, on a canvas that shows the plan's first 1,000 by 600 units. */
  function Canvas() {
    const plan = useEditor((state) => state.plan);
    const store = useStoreApi();
    store.setState({
      domNode: frame.current,
      transform: [0, 0, 1],
      panZoom: { setViewport } as never,
    });
    const scene = createScene(plan, new Map());
    useCanvasHandle({ frame, scene, keep: () => {}, showPlaces: () => {} });
    return null;
  }

  const names = ["a", "b", "c"];
  function openCanvas() {
    setViewport.mockClear();
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    const part = (
      <ReactFlowProvider>
        <Canvas />
      </ReactFlowProvider>
    );
    const blueprint = openBlueprint(part, { view: viewOf(planOf(names, [])) });
    const { editor } = blueprint;
    const moveTo = (y: number, ids: readonly string[]) => {
      const to = new Map(ids.map((id, at) => [id, { x: 300 * at, y }]));
      act(() => editor.getState().edit("Move", (plan) => place(plan, to)));
    };
    const undo = () => {
      act(() => void run(editHandlers(blueprint).undo));
      return new Promise(requestAnimationFrame);
    };
    return { ...blueprint, moveTo, undo };
  }

  test("undoing a move shows the node at its place after that", async () => {
    const { moveTo, undo } = openCanvas();
    moveTo(2_000, ["b"]);
    moveTo(100, ["b"]);
    await undo();
    expect(setViewport).toHaveBeenCalledOnce();
    const [{ y }] = setViewport.mock.calls[0] ?? [{}];
    expect(y).toBeLessThan(-1_400);
    setViewport.mockClear();
    await undo();
    expect(setViewport, "it is back in sight").not.toHaveBeenCalled();
  });

  test("the view stays while one of the changed nodes is in sight", async () => {
    const { editor, moveTo, undo } = openCanvas();
    moveTo(2_000, ["a"]);
    editor.getState().select(names);
    act(() => editor.getState().edit("Disable", (plan) => setDisabled(plan, new Set(names), true)));
    await undo();
    expect(setViewport).not.toHaveBeenCalled();
  });
});

test("edges can be drawn from several nodes, but not from notes", () => {
  const { editor, handlers } = open();
  expect(handlers.connect.refusal?.()).toBe("Select a node first");
  editor.getState().select(["a", "b"]);
  expect(handlers.connect.refusal?.()).toBeUndefined();
  expect(handlers.add_next.refusal?.()).toBeUndefined();
  editor.getState().edit("Note", (plan) => ({
    ...plan,
    nodes: plan.nodes.map((node) => ({ ...node, kind: { kind: "note", text: "" } })),
  }));
  expect(handlers.connect.refusal?.()).toBe("Notes have no dependencies");
});
