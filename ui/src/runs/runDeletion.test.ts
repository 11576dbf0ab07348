import { beforeEach, expect, test, vi } from "vitest";
import type { Backend } from "@/api/Backend";
import { type Toast, useToasts } from "@/components/toasts";
import { deleteWithUndo, forgetDeleted, undoMs, useHiddenRuns } from "./runDeletion";

beforeEach(() => {
  useToasts.setState({ toasts: [] });
  useHiddenRuns.setState({ ids: new Set(), deleted: new Set() });
});

const runs = [1, 2, 3].map((number) => ({ id: `r${number}`, number }));
const error = { code: "refused", message: "A question waits.", fix: "Answer it first." };

function begin(answer: unknown = { deleted: ["r1", "r2", "r3"], refused: [] }) {
  const call = vi.fn(async (..._: unknown[]) => answer);
  deleteWithUndo({ call } as unknown as Pick<Backend, "call">, runs);
  return { call, toast: useToasts.getState().toasts.at(-1) as Toast };
}

const hidden = () => [...useHiddenRuns.getState().ids];
const close = ({ id }: Toast) => useToasts.getState().dismiss(id);

test("runs are hidden at once, and deleted when the message has gone", async () => {
  const { call, toast } = begin();
  expect(toast).toMatchObject({
    title: "Deleting 3 runs",
    detail: "You can undo until this message closes.",
    durationMs: undoMs,
  });
  expect(hidden()).toEqual(["r1", "r2", "r3"]);
  expect(call).not.toHaveBeenCalled();
  close(toast);
  close(toast);
  await vi.waitFor(() => expect(call).toHaveBeenCalled());
  expect(call.mock.calls, "once").toEqual([["runs_delete", { runs: ["r1", "r2", "r3"] }]]);
  expect(hidden(), "no list shows them until it is fetched again").toEqual(["r1", "r2", "r3"]);
});

test("Undo shows the runs again, and nothing is deleted", () => {
  const { call, toast } = begin();
  toast.action?.onAct();
  close(toast);
  expect(hidden()).toEqual([]);
  expect(call).not.toHaveBeenCalled();
});

test("two deletions are undone one by one", async () => {
  const { toast } = begin();
  const call = vi.fn(async (..._: unknown[]) => ({ deleted: ["r9"], refused: [] }));
  deleteWithUndo({ call } as unknown as Pick<Backend, "call">, [{ id: "r9", number: 9 }]);
  const second = useToasts.getState().toasts.at(-1) as Toast;
  toast.action?.onAct();
  expect(hidden()).toEqual(["r9"]);
  close(second);
  await vi.waitFor(() => expect(call).toHaveBeenCalled());
  expect(call).toHaveBeenCalledExactlyOnceWith("runs_delete", { runs: ["r9"] });
});

test("runs that can't be deleted come back, with the reasons", async () => {
  const refused = [{ run: "r2", error }];
  const { toast } = begin({ deleted: ["r1", "r3"], refused });
  close(toast);
  await vi.waitFor(() => expect(hidden()).toEqual(["r1", "r3"]));
  expect(useToasts.getState().toasts.at(-1)).toMatchObject({
    kind: "error",
    title: "1 run not deleted",
    detail: "#2: A question waits. Answer it first.",
  });
});

test("a run that is gone already is no failure", async () => {
  const missing = { code: "not_found", message: "There is no such run.", fix: null };
  const { toast } = begin({ deleted: ["r1", "r3"], refused: [{ run: "r2", error: missing }] });
  close(toast);
  const { deleted } = await vi.waitFor(() => {
    const state = useHiddenRuns.getState();
    expect(state.deleted.size).toBeGreaterThan(0);
    return state;
  });
  expect([...deleted]).toEqual(["r1", "r2", "r3"]);
  expect(hidden()).toEqual(["r1", "r2", "r3"]);
  expect(useToasts.getState().toasts).toEqual([]);
});

test("deletions are carried out one after another", async () => {
  const answers: ((answer: unknown) => void)[] = [];
  const call = vi.fn(() => new Promise((resolve) => answers.push(resolve)));
  const backend = { call } as unknown as Pick<Backend, "call">;
  for (const number of [1, 2]) deleteWithUndo(backend, [{ id: `r${number}`, number }]);
  for (const toast of useToasts.getState().toasts) close(toast);
  await vi.waitFor(() => expect(call).toHaveBeenCalledOnce());
  answers[0]?.({ deleted: ["r1", "r2"], refused: [] });
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2));
  answers[1]?.({ deleted: ["r2"], refused: [] });
  await vi.waitFor(() => expect([...useHiddenRuns.getState().deleted]).toEqual(["r1", "r2"]));
});

test("deleted runs are forgotten once no list has them", () => {
  useHiddenRuns.setState({ ids: new Set(["r1", "r2", "r3"]), deleted: new Set(["r1", "r2"]) });
  forgetDeleted(new Set(["r2"]));
  expect(hidden(), "r3 is not deleted yet").toEqual(["r2", "r3"]);
  forgetDeleted(new Set());
  expect(hidden()).toEqual(["r3"]);
});

test("five deletions in a row can all be undone", () => {
  const call = vi.fn();
  for (const number of [1, 2, 3, 4, 5])
    deleteWithUndo({ call } as unknown as Pick<Backend, "call">, [{ id: `r${number}`, number }]);
  const { toasts } = useToasts.getState();
  expect(toasts.map(({ action }) => action?.label)).toEqual(Array(5).fill("Undo"));
});

test("other messages don't end the time for Undo", () => {
  const { call, toast } = begin();
  for (const title of ["one", "two", "three", "four"])
    useToasts.getState().show({ kind: "info", title });
  expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual([
    toast.title,
    "three",
    "four",
  ]);
  expect(call).not.toHaveBeenCalled();
});
