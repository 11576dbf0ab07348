import { create } from "zustand";
import type { Backend } from "@/api/Backend";
import type { RunsPageRow } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { showToast } from "@/components/toasts";
import { type BulkFailure, deleteRuns } from "./bulkActs";

/** How long a person can undo. Hovering or focusing the message, or leaving the window, pauses it. */
export const undoMs = 10_000;
/** The number of reasons in the message about runs that weren't deleted. */
const maxReasons = 3;

/**
 * The runs that no list shows: those that will be deleted, and those that were. Deleted ones stay,
 * because a list may still have them until it is fetched again.
 */
export const useHiddenRuns = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

function hide(ids: readonly string[]): void {
  useHiddenRuns.setState((before) => ({ ids: new Set([...before.ids, ...ids]) }));
}

function showAgain(ids: readonly string[]): void {
  const gone = new Set(ids);
  useHiddenRuns.setState((before) => ({
    ids: new Set([...before.ids].filter((id) => !gone.has(id))),
  }));
}

/**
 * Hides runs at once, and deletes them when the message with Undo has gone. The store knows no way
 * back, so nothing is deleted before that: if the window is closed or reloaded first, the runs are
 * there again. Runs that can't be deleted come back, with the reasons.
 */
export function deleteWithUndo(
  backend: Pick<Backend, "call">,
  runs: readonly Pick<RunsPageRow, "id" | "number">[],
): void {
  if (runs.length === 0) return;
  const ids = runs.map(({ id }) => id);
  let undone = false;
  hide(ids);
  showToast({
    kind: "info",
    title: `${formatCount(runs.length, "run")} deleted`,
    detail: "Final once this message closes.",
    durationMs: undoMs,
    action: {
      label: "Undo",
      onAct: () => {
        undone = true;
        showAgain(ids);
      },
    },
    onGone: () => {
      if (!undone) void carryOut(backend, runs);
    },
  });
}

async function carryOut(
  backend: Pick<Backend, "call">,
  runs: readonly Pick<RunsPageRow, "id" | "number">[],
): Promise<void> {
  const { failures } = await deleteRuns(backend, runs);
  if (failures.length === 0) return;
  showAgain(failures.map(({ id }) => id));
  showToast({
    kind: "error",
    title: `${formatCount(failures.length, "run")} not deleted`,
    detail: describe(failures),
  });
}

/** The first reasons, one per line: "#2: A question waits." */
function describe(failures: readonly BulkFailure[]): string {
  const listed = failures.slice(0, maxReasons).map(({ name, reason }) => `${name}: ${reason}`);
  const more = failures.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
