import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { RunsPageRow } from "@/api/bindings";
import { isMissing } from "./runText";

/** The most runs that one call deletes. */
export const maxDeletedAtOnce = 500;

type Run = Pick<RunsPageRow, "id" | "number">;

/** A run on which an act failed. */
export interface BulkFailure {
  id: string;
  /** "#41" */
  name: string;
  /** What happened, and what to do. */
  reason: string;
}

/** What became of an act on several runs. */
export interface BulkOutcome {
  done: number;
  failures: BulkFailure[];
}

const nameOf = ({ number }: Run) => `#${number}`;
const reasonOf = ({ message, fix }: { message: string; fix?: string | null | undefined }) =>
  [message, fix].filter(Boolean).join(" ");

function failureOf(run: Run, cause: unknown): BulkFailure {
  return { id: run.id, name: nameOf(run), reason: reasonOf(ApiError.from(cause)) };
}

/**
 * Deletes runs, at most 500 with one call. A call that fails doesn't keep the others from it. A run
 * that is gone already counts as deleted: that is what the person wanted.
 */
export async function deleteRuns(
  backend: Pick<Backend, "call">,
  runs: readonly Run[],
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: 0, failures: [] };
  for (let at = 0; at < runs.length; at += maxDeletedAtOnce) {
    const part = runs.slice(at, at + maxDeletedAtOnce);
    const byId = new Map(part.map((run) => [run.id, run]));
    try {
      const input = { runs: part.map(({ id }) => id) };
      const { deleted, refused } = await backend.call("runs_delete", input);
      // Runs below a run are deleted with it; the person selected, and so counts, only these.
      outcome.done += deleted.filter((id) => byId.has(id)).length;
      for (const { run, error } of refused) {
        if (isMissing(error)) {
          outcome.done += 1;
          continue;
        }
        const known = byId.get(run);
        outcome.failures.push({
          id: run,
          name: known ? nameOf(known) : run,
          reason: reasonOf(error),
        });
      }
    } catch (cause) {
      outcome.failures.push(...part.map((run) => failureOf(run, cause)));
    }
  }
  return outcome;
}

/** Stops runs one after another, also after a failure. */
export async function stopRuns(
  backend: Pick<Backend, "call">,
  runs: readonly Run[],
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: 0, failures: [] };
  for (const run of runs) {
    try {
      await backend.call("run_cancel", { run: run.id });
      outcome.done += 1;
    } catch (cause) {
      outcome.failures.push(failureOf(run, cause));
    }
  }
  return outcome;
}
