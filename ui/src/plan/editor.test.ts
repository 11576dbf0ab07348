// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { PlanProblem } from "@/api/bindings";
import { useToasts } from "@/components/toasts";
import { fakeBackend } from "@/shell/fakeBackend";
import { createEditor } from "./editor";
import { removeNodes, renameNode } from "./edits";
import { planOf, savedOf, viewOf } from "./planFixture";

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
  return savedOf({ revision: input.baseRevision + 1 });
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

test("flush saves immediately, including edits made while saving", async () => {
  const { editor, call } = open(saves);
  editor.getState().edit("Rename", rename("One"));
  const flushed = editor.getState().flush();
  editor.getState().edit("Rename", rename("Two"));
  await expect(flushed).resolves.toBe(true);
  expect(call).toHaveBeenCalledTimes(2);
  expect(editor.getState().view.plan.nodes[0]?.title).toBe("Two");
});

test("flush of an untouched plan makes no call", async () => {
  const { editor, call } = open(saves);
  await expect(editor.getState().flush()).resolves.toBe(true);
  expect(call).not.toHaveBeenCalled();
});

test("an invalid plan keeps the copy and names the node", async () => {
  const { editor } = open((name) => {
    if (name === "plan_save") throw new ApiError("invalid", "The plan cannot be saved.");
    const sentence = "the title of a must have 1 to 500 characters, not 0";
    const problem = { problem: "title_length", of: "a", length: 0 };
    return [{ problem, sentence, preventsSaving: true }];
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
  // What is wrong doesn't come and go with each edit of something else.
  editor.getState().edit("Rename", (before) => renameNode(before, "b", "Other"));
  expect(editor.getState()).toMatchObject({ saveState: "saving", rejected: true });
  expect(editor.getState().problems).toHaveLength(1);
  expect(editor.getState().saveMessage).toBe("The plan cannot be saved.");
  editor.getState().undo(2);
  expect(editor.getState()).toMatchObject({ saveState: "saved", rejected: false, problems: [] });
});

test("what a saved plan still lacks is named until a save finds it there", async () => {
  const lacks = (id: string): PlanProblem => ({
    problem: {
      problem: "node",
      node: id,
      title: id,
      field: "subPlanId",
      fault: { fault: "no_sub_plan" },
    },
    sentence: `'${id}' has no plan`,
    preventsSaving: false,
  });
  const fake = fakeBackend({ plan_save: () => savedOf({ problems: [lacks("b")] }) });
  const editor = createEditor(fake.backend, viewOf(plan, { problems: [lacks("a")] }));
  expect(editor.getState()).toMatchObject({ rejected: false, saveState: "saved" });
  const before = editor.getState().problems;
  expect(before).toMatchObject([{ nodes: ["a"], sentence: "'a' has no plan." }]);

  editor.getState().edit("Rename", rename("One"));
  expect(editor.getState().problems, "the same while it is saved").toBe(before);
  await editor.getState().flush();
  expect(editor.getState().saveState).toBe("saved");
  expect(editor.getState().problems).toMatchObject([{ nodes: ["b"] }]);
});

test("undo restores a deleted node with its edges, and the selection follows the plan", () => {
  const { editor } = open(saves);
  editor.getState().select(["a"]);
  editor.getState().edit("Delete node", (before) => removeNodes(before, new Set(["a"])));
  expect([...editor.getState().selection]).toEqual([]);
  expect(editor.getState().undoLabel).toBe("Delete node");
  editor.getState().undo();
  expect(editor.getState().plan).toBe(plan);
  expect(editor.getState()).toMatchObject({ canUndo: false, redoLabel: "Delete node" });
});

test("undo and redo select what was selected then", () => {
  const { editor } = open(saves);
  const { edit, select, undo, redo } = editor.getState();
  select(["a"]);
  edit("Rename node", rename("One"));
  select(["b"], ["a>b"]);
  edit("Delete node", (before) => removeNodes(before, new Set(["b"])));
  select([]);

  undo();
  expect([...editor.getState().selection]).toEqual(["b"]);
  expect([...editor.getState().selectedEdges]).toEqual(["a>b"]);
  undo();
  expect([...editor.getState().selection]).toEqual(["a"]);
  redo();
  expect([...editor.getState().selection]).toEqual(["b"]);
  redo();
  expect([...editor.getState().selection]).toEqual([]);
  undo(2);
  expect([...editor.getState().selection]).toEqual(["a"]);
});

test("an external change is merged, and undo reverts only the user's own edit", async () => {
  const { editor, call } = open(saves);
  editor.getState().edit("Rename", rename("Mine"));
  await editor.getState().flush();
  const saved = editor.getState().view.plan;
  editor.getState().receiveView(viewOf({ ...saved, title: "Theirs" }, { revision: 9 }));
  expect(editor.getState()).toMatchObject({ revision: 9, dirty: false });
  expect(editor.getState().plan.title).toBe("Theirs");
  expect(editor.getState().undoable()).toEqual(["Rename"]);

  editor.getState().undo();
  expect(editor.getState().plan).toMatchObject({ title: "Theirs", nodes: plan.nodes });
  await editor.getState().flush();
  expect(call.mock.calls.at(-1)?.[1]).toMatchObject({ baseRevision: 9 });
  editor.getState().redo();
  expect(editor.getState().plan.nodes[0]?.title).toBe("Mine");
});

test("a step that collides with an external change is skipped and reported", async () => {
  const { editor } = open(saves);
  editor.getState().edit("Move", (before) => ({ ...before, title: "Moved" }));
  editor.getState().edit("Rename", rename("Mine"));
  await editor.getState().flush();
  const saved = editor.getState().view.plan;
  editor.getState().receiveView(viewOf(renameNode(saved, "a", "Theirs"), { revision: 9 }));
  editor.getState().undo();
  expect(editor.getState().plan.nodes[0]?.title).toBe("Theirs");
  expect(useToasts.getState().toasts.at(-1)).toMatchObject({
    title: "“Rename” was not undone",
    detail: "Theirs changed elsewhere in the meantime. That change is kept.",
  });
  expect(editor.getState().undoLabel).toBe("Move");
  editor.getState().undo();
  expect(editor.getState().plan.title).toBe(plan.title);
});

/** A backend where `theirs` was saved elsewhere. */
function behind(theirs: typeof plan) {
  const kept = { view: viewOf(theirs, { revision: 9 }) };
  const opened = open((name, input: { plan: typeof plan; baseRevision: number }) => {
    if (name === "plan_get") return kept.view;
    if (input.baseRevision !== kept.view.revision) throw new ApiError("conflict", "Too late.");
    kept.view = viewOf(input.plan, { revision: input.baseRevision + 1 });
    return savedOf({ revision: kept.view.revision });
  });
  return { ...opened, kept };
}

test("concurrent edits that do not collide are both kept, without a question", async () => {
  const { editor, kept } = behind({ ...plan, title: "Theirs" });
  editor.getState().edit("Rename", rename("Mine"));
  await editor.getState().flush();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(editor.getState()).toMatchObject({ saveState: "saved", revision: 10 });
  expect(kept.view.plan).toMatchObject({ title: "Theirs", nodes: [{ title: "Mine" }, {}] });
});

test("when the other side of a conflict cannot be read, that is shown and retried", async () => {
  let reads = 0;
  const theirs = viewOf({ ...plan, title: "Theirs" }, { revision: 9 });
  const { editor } = open((name, input: { plan: typeof plan; baseRevision: number }) => {
    if (name === "plan_get") {
      reads += 1;
      if (reads === 1) throw new ApiError("store", "the disk did not answer");
      return theirs;
    }
    if (input.baseRevision !== 9) throw new ApiError("conflict", "Too late.");
    return savedOf({ revision: 10 });
  });
  editor.getState().edit("Rename", rename("Mine"));
  await editor.getState().flush();
  await vi.advanceTimersByTimeAsync(0);
  const { saveState, saveMessage } = editor.getState();
  expect([saveState, saveMessage]).toEqual(["offline", expect.stringContaining("did not answer")]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(editor.getState()).toMatchObject({ saveState: "saved", revision: 10 });
  expect(editor.getState().plan).toMatchObject({ title: "Theirs", nodes: [{ title: "Mine" }, {}] });
});

test("after “Use theirs”, undo restores the user's change", async () => {
  const { editor } = behind(renameNode(plan, "a", "Theirs"));
  editor.getState().edit("Rename", rename("Mine"));
  await editor.getState().flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(editor.getState().saveState).toBe("conflict");
  expect(editor.getState().saveMessage).toContain("Both changed Theirs.");
  editor.getState().takeTheirs();
  expect(editor.getState()).toMatchObject({ saveState: "saved", undoLabel: "Use theirs" });
  editor.getState().undo();
  expect(editor.getState().plan.nodes[0]?.title).toBe("Mine");
  await expect(editor.getState().flush()).resolves.toBe(true);
});

test("undoing what collides resolves a conflict, and the user's version wins only there", async () => {
  const theirs = { ...renameNode(plan, "a", "Theirs"), description: "theirs too" };
  const conflict = async () => {
    const opened = behind(theirs);
    opened.editor.getState().edit("Rename", rename("Mine"));
    await opened.editor.getState().flush();
    await vi.advanceTimersByTimeAsync(0);
    return opened;
  };
  const one = await conflict();
  one.editor.getState().undo();
  expect(one.editor.getState()).toMatchObject({ saveState: "saved", plan: theirs });

  const other = await conflict();
  other.editor.getState().keepMine();
  await other.editor.getState().flush();
  expect(other.kept.view.plan).toMatchObject({
    description: "theirs too",
    nodes: [{ title: "Mine" }, {}],
  });
});

test("a failed save is superseded by undo, and nothing is saved twice", async () => {
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

test("several steps are undone at once", () => {
  const { editor } = open(saves);
  for (const title of ["One", "Two", "Three"]) editor.getState().edit(`To ${title}`, rename(title));
  editor.getState().undo(2);
  expect(editor.getState().plan.nodes[0]?.title).toBe("One");
  expect(editor.getState()).toMatchObject({ undoLabel: "To One", redoLabel: "To Two" });
  editor.getState().undo(9);
  expect(editor.getState().plan).toBe(plan);
});
