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

interface HiddenRuns {
  /** The runs that no list shows: those that will be deleted, and those that were. */
  ids: ReadonlySet<string>;
  /** Those that were deleted. A list may still have them until it is fetched again. */
  deleted: ReadonlySet<string>;
}

export const useHiddenRuns = create<HiddenRuns>(() => ({ ids: new Set(), deleted: new Set() }));

/** The deletions whose messages have gone, one after another: two could be about the same runs. */
let queue: Promise<void> = Promise.resolve();

function hide(ids: readonly string[]): void {
  useHiddenRuns.setState((before) => ({ ids: new Set([...before.ids, ...ids]) }));
}

function showAgain(ids: readonly string[]): void {
  const gone = new Set(ids);
  const rest = (all: ReadonlySet<string>) => new Set([...all].filter((id) => !gone.has(id)));
  useHiddenRuns.setState(({ ids: all, deleted }) => ({ ids: rest(all), deleted: rest(deleted) }));
}

/** Forgets the deleted runs that no list has anymore. */
export function forgetDeleted(listed: ReadonlySet<string>): void {
  const gone = [...useHiddenRuns.getState().deleted].filter((id) => !listed.has(id));
  if (gone.length > 0) showAgain(gone);
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
    title: `Deleting ${formatCount(runs.length, "run")}`,
    detail: "You can undo until this message closes.",
    durationMs: undoMs,
    action: {
      label: "Undo",
      onAct: () => {
        undone = true;
        showAgain(ids);
      },
    },
    onGone: () => {
      if (!undone) queue = queue.then(() => carryOut(backend, runs));
    },
  });
}

async function carryOut(
  backend: Pick<Backend, "call">,
  runs: readonly Pick<RunsPageRow, "id" | "number">[],
): Promise<void> {
  const { failures } = await deleteRuns(backend, runs);
  const kept = new Set(failures.map(({ id }) => id));
  const gone = runs.map(({ id }) => id).filter((id) => !kept.has(id));
  useHiddenRuns.setState(({ deleted }) => ({ deleted: new Set([...deleted, ...gone]) }));
  if (failures.length === 0) return;
  showAgain([...kept]);
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
