// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import { createEditor } from "./editor";
import { removeNodes, renameNode } from "./edits";
import { planOf, viewOf } from "./planFixture";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const plan = planOf(["a", "b"], ["a>b"]);
const rename = (title: string) => (before: typeof plan) => renameNode(before, "a", title);

function open(answer: (name: string, input: never) => unknown) {
  const call = vi.fn(async (name: string, input: unknown) => answer(name, input as never));
  const editor = createEditor({ call: call as Backend["call"] }, viewOf(plan));
  return { editor, call };
}

const saves = (name: string, input: { plan: typeof plan; baseRevision: number }) => {
  if (name !== "plan_save") throw new Error(`unexpected ${name}`);
  return viewOf(input.plan, { revision: input.baseRevision + 1, version: 2 });
};

test("several edits are one save, 0.6 s after the last", async () => {
  const { editor, call } = open(saves);
  editor.getState().edit("Rename", rename("One"));
  await vi.advanceTimersByTimeAsync(500);
  editor.getState().edit("Rename", rename("Two"));
  expect(editor.getState()).toMatchObject({ dirty: true, saveState: "saving" });
  await vi.advanceTimersByTimeAsync(599);
  expect(call).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(call).toHaveBeenCalledOnce();
  expect(editor.getState()).toMatchObject({ dirty: false, saveState: "saved", revision: 2 });
  expect(editor.getState().view.version).toBe(2);
});

test("flush saves at once, also what was edited while saving", async () => {
  const { editor, call } = open(saves);
  editor.getState().edit("Rename", rename("One"));
  const flushed = editor.getState().flush();
  editor.getState().edit("Rename", rename("Two"));
  await expect(flushed).resolves.toBe(true);
  expect(call).toHaveBeenCalledTimes(2);
  expect(editor.getState().view.plan.nodes[0]?.title).toBe("Two");
});

test("flush of an untouched plan asks nobody", async () => {
  const { editor, call } = open(saves);
  await expect(editor.getState().flush()).resolves.toBe(true);
  expect(call).not.toHaveBeenCalled();
});

test("an invalid plan keeps the copy and names the node", async () => {
  const { editor } = open((name) => {
    if (name === "plan_save") throw new ApiError("invalid", "The plan cannot be saved.");
    return {
      problems: [{ problem: "title_length", of: "a", length: 0 }],
      sentences: ["the title of a must have 1 to 500 characters, not 0"],
    };
  });
  editor.getState().edit("Rename", (before) => ({
    ...before,
    nodes: before.nodes.map((node) => ({ ...node, title: "" })),
  }));
  await expect(editor.getState().flush()).resolves.toBe(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(editor.getState().saveState).toBe("invalid");
  expect(editor.getState().problems).toMatchObject([
    { nodes: ["a"], sentence: "The title of a must have 1 to 500 characters, not 0." },
  ]);
  editor.getState().undo();
  expect(editor.getState()).toMatchObject({ saveState: "saved", problems: [] });
});

test("undo brings back a deleted node with its edges, and the selection follows the plan", () => {
  const { editor } = open(saves);
  editor.getState().select(["a"]);
  editor.getState().edit("Delete node", (before) => removeNodes(before, new Set(["a"])));
  expect([...editor.getState().selection]).toEqual([]);
  expect(editor.getState().undoLabel).toBe("Delete node");
  editor.getState().undo();
  expect(editor.getState().plan).toBe(plan);
  expect(editor.getState()).toMatchObject({ canUndo: false, redoLabel: "Delete node" });
});

test("what somebody else wrote replaces an untouched copy and its history", () => {
  const { editor } = open(saves);
  editor.getState().hear(viewOf({ ...plan, title: "Theirs" }, { revision: 9 }));
  expect(editor.getState()).toMatchObject({ revision: 9, dirty: false, canUndo: false });
  expect(editor.getState().plan.title).toBe("Theirs");
});
