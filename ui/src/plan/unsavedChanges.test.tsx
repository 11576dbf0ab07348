import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Plan, PlanSave, PlanSaved, PlanView } from "@/api/bindings";
import { useToasts } from "@/components/toasts";
import { readDraft, writeDraft } from "@/shell/drafts";
import { createEditor, type Editor } from "./editor";
import { planOf, savedOf, viewOf } from "./planFixture";
import { keepUnsaved, openWithUnsaved } from "./unsavedChanges";

const away = () => Promise.reject(new ApiError("offline", "Baton isn't running"));
const view = viewOf(planOf(["a", "b"], []), { revision: 4 });
const name = `plan/${view.plan.id}`;

function renamed(plan: Plan, id: string, title: string): Plan {
  return {
    ...plan,
    nodes: plan.nodes.map((node) => (node.id === id ? { ...node, title } : node)),
  };
}

const titles = (editor: Editor) => editor.getState().plan.nodes.map(({ title }) => title);

function open(now: PlanView, save: (input: PlanSave) => Promise<PlanSaved> = away): Editor {
  return openWithUnsaved(now, (from) => createEditor({ call: vi.fn(away) }, from, save));
}

/** Leaves a page on which "a" was renamed while the server was away. */
async function leaveUnsaved() {
  const editor = open(view);
  const stop = keepUnsaved(editor);
  editor.getState().edit("Rename", (plan) => renamed(plan, "a", "Mine"));
  await vi.advanceTimersByTimeAsync(2_000);
  stop();
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  useToasts.setState({ toasts: [] });
});
afterEach(() => vi.useRealTimers());

test("changes that couldn't be saved are there when the plan is opened again", async () => {
  await leaveUnsaved();
  const save = vi.fn(async (_input: PlanSave) => savedOf({ revision: 5 }));
  const editor = open(view, save);
  const stop = keepUnsaved(editor);
  expect(titles(editor)).toEqual(["Mine", "Title of b"]);
  expect(editor.getState().undoLabel).toBe("Restore unsaved changes");
  expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual([
    "Unsaved changes restored",
  ]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(save.mock.calls[0]?.[0]).toMatchObject({ baseRevision: 4 });
  expect(editor.getState().saveState).toBe("saved");
  expect(readDraft(name), "it is saved").toBeUndefined();
  stop();
});

test("restored changes are announced once, however often the plan was opened until then", async () => {
  await leaveUnsaved();
  open(view);
  open(view);
  const stop = keepUnsaved(open(view));
  expect(useToasts.getState().toasts).toHaveLength(1);
  stop();
});

test("they are merged with what was changed elsewhere", async () => {
  await leaveUnsaved();
  const later = { ...view, revision: 6, plan: renamed(view.plan, "b", "Theirs") };
  const editor = open(later);
  expect(titles(editor)).toEqual(["Mine", "Theirs"]);
  expect(editor.getState().revision).toBe(6);
});

test("the same change elsewhere is a conflict that a person decides", async () => {
  await leaveUnsaved();
  const editor = open({ ...view, revision: 6, plan: renamed(view.plan, "a", "Theirs") });
  expect(editor.getState().saveState).toBe("conflict");
  expect(titles(editor)[0]).toBe("Mine");
  editor.getState().takeTheirs();
  expect(titles(editor)[0]).toBe("Theirs");
});

test("a save that arrived although the page never knew leaves nothing to do", async () => {
  await leaveUnsaved();
  const editor = open({ ...view, revision: 5, plan: renamed(view.plan, "a", "Mine") });
  expect(editor.getState().dirty).toBe(false);
  expect(readDraft(name)).toBeUndefined();
  expect(useToasts.getState().toasts).toEqual([]);
});

test("saved changes are not written, and a tab without any keeps another tab's", async () => {
  await leaveUnsaved();
  const kept = readDraft(name);
  const editor = createEditor({ call: vi.fn(away) }, view, async () => savedOf({ revision: 5 }));
  const stop = keepUnsaved(editor);
  editor.getState().edit("Rename", (plan) => renamed(plan, "b", "Saved"));
  await vi.advanceTimersByTimeAsync(2_000);
  stop();
  expect(readDraft(name)).toEqual(kept);
});

test("what is being saved is kept when the page goes away", () => {
  const editor = open(view);
  const stop = keepUnsaved(editor);
  editor.getState().edit("Rename", (plan) => renamed(plan, "a", "Mine"));
  window.dispatchEvent(new Event("pagehide"));
  expect(readDraft(name)?.value).toMatchObject({ revision: 4 });
  stop();
});

test.each<[string, unknown]>([
  ["text", "not a plan"],
  ["another plan", { revision: 4, base: view.plan, plan: { ...view.plan, id: "other" } }],
  ["an older shape", { revision: 4, base: view.plan, plan: { id: view.plan.id, nodes: [] } }],
  ["no revision", { base: view.plan, plan: view.plan }],
])("%s in the storage is ignored", (_, value) => {
  writeDraft(name, value);
  const editor = open(view);
  expect(editor.getState().dirty).toBe(false);
  expect(titles(editor)).toEqual(["Title of a", "Title of b"]);
});
