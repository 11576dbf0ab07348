import type { TimelineEntry } from "@/api/bindings";
import type { ReadRange } from "./SessionFeed";

const batchSize = 200;

/** A batch of entries in the order of the scan. */
export interface ScanBatch {
  entries: TimelineEntry[];
  /** The last entry that was scanned. */
  at: number;
}

/** Yields entries from `from` (inclusive) to the end or the beginning, without caching them. */
export async function* scanEntries(
  read: ReadRange,
  from: number,
  step: 1 | -1,
  total: number,
): AsyncGenerator<ScanBatch> {
  for (let at = from; at >= 0 && at < total; ) {
    const first = step === 1 ? at : Math.max(0, at - batchSize + 1);
    const limit = step === 1 ? Math.min(batchSize, total - at) : at - first + 1;
    const { entries } = await read({ from: first, limit, since: null });
    const last = step === 1 ? first + limit - 1 : first;
    yield { entries: step === 1 ? entries : entries.toReversed(), at: last };
    at = last + step;
  }
}

/**
 * Returns the first entry that `fits`, or `undefined` when there is none or `signal` is aborted.
 */
export async function findNext(
  batches: AsyncIterable<ScanBatch>,
  fits: (entry: TimelineEntry) => boolean,
  signal: AbortSignal,
  onProgress: (at: number) => void,
): Promise<number | undefined> {
  for await (const { entries, at } of batches) {
    const found = entries.find(fits);
    if (signal.aborted) return undefined;
    if (found) return found.seq;
    onProgress(at);
  }
  return undefined;
}
