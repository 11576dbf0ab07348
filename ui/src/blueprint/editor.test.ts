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

test("what somebody else wrote replaces an untouched copy, as a step that can be taken back", async () => {
  const { editor, call } = open(saves);
  editor.getState().edit("Rename", rename("Mine"));
  await editor.getState().flush();
  editor.getState().hear(viewOf({ ...plan, title: "Theirs" }, { revision: 9 }));
  expect(editor.getState()).toMatchObject({ revision: 9, dirty: false });
  expect(editor.getState().plan.title).toBe("Theirs");
  expect(editor.getState().undoable()).toEqual(["Change made elsewhere", "Rename"]);

  editor.getState().undo();
  expect(editor.getState().plan.nodes[0]?.title).toBe("Mine");
  await editor.getState().flush();
  expect(call.mock.calls.at(-1)?.[1], "over theirs, knowingly").toMatchObject({ baseRevision: 9 });
  expect(editor.getState()).toMatchObject({
    saveState: "saved",
    redoLabel: "Change made elsewhere",
  });
});

test("of a conflict that ends with theirs, mine can be brought back", async () => {
  const theirs = viewOf({ ...plan, title: "Theirs" }, { revision: 9 });
  let refuse = true;
  const { editor } = open((name, input) => {
    if (name === "plan_get") return theirs;
    if (refuse) throw new ApiError("conflict", "Somebody else was faster.");
    return saves(name, input);
  });
  editor.getState().edit("Rename", rename("Mine"));
  await expect(editor.getState().flush()).resolves.toBe(false);
  await vi.advanceTimersByTimeAsync(0);
  editor.getState().takeTheirs();
  expect(editor.getState()).toMatchObject({ saveState: "saved", plan: { title: "Theirs" } });
  refuse = false;
  editor.getState().undo();
  expect(editor.getState().plan.nodes[0]?.title).toBe("Mine");
  await expect(editor.getState().flush()).resolves.toBe(true);
});

test("a save that could not be carried out is made up for by undo, and nothing is asked twice", async () => {
  let offline = true;
  const { editor, call } = open((name, input) => {
    if (offline) throw new ApiError("unavailable", "The disk is full.");
    return saves(name, input);
  });
  editor.getState().edit("Rename", rename("One"));
  await expect(editor.getState().flush()).resolves.toBe(false);
  expect(editor.getState().saveState).toBe("offline");
  editor.getState().undo();
  expect(editor.getState().plan).toBe(plan);
  offline = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(editor.getState()).toMatchObject({ saveState: "saved", dirty: false });
  expect(call.mock.calls.filter(([name]) => name === "plan_save").length).toBeLessThan(3);
});

test("several steps are taken back at once", () => {
  const { editor } = open(saves);
  for (const title of ["One", "Two", "Three"]) editor.getState().edit(`To ${title}`, rename(title));
  editor.getState().undo(2);
  expect(editor.getState().plan.nodes[0]?.title).toBe("One");
  expect(editor.getState()).toMatchObject({ undoLabel: "To One", redoLabel: "To Two" });
  editor.getState().undo(9);
  expect(editor.getState().plan).toBe(plan);
});
