import type { TimelineEntry } from "@/api/bindings";
import type { ReadRange } from "./SessionFeed";

const batchSize = 200;

/** A batch of entries in reading order of the scan, and how far it has come. */
export interface ScanBatch {
  entries: TimelineEntry[];
  /** The last entry looked at. */
  at: number;
}

/** Reads on from `from`, towards the end or the beginning, without keeping what it read. `from` itself is looked at. */
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

/** The next entry after `from` that `fits`, or `undefined` at the end or when `signal` fires. */
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
