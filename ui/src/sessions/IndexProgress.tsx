import type { ReactElement } from "react";
import type { TranscriptsIndexing } from "@/api/bindings";

/** How far the histories are read, while they are; a quiet line, since the list is usable meanwhile. */
export function IndexProgress({
  indexing,
}: {
  indexing: TranscriptsIndexing;
}): ReactElement | null {
  const words = describeIndexProgress(indexing);
  if (words === undefined) return null;
  return (
    <span role="status" className="whitespace-nowrap text-12 text-faint tabular-nums">
      {words}
    </span>
  );
}

/** What is going on, in words; nothing when all is read. */
export function describeIndexProgress(indexing: TranscriptsIndexing): string | undefined {
  const { listing, reading, bytesDone, bytesTotal } = indexing;
  if (listing) return "Looking for sessions";
  if (!reading) return undefined;
  if (bytesTotal === 0) return "Reading texts";
  // Rounded down: nothing is at 100 % before it is.
  return `Reading texts, ${Math.floor((Math.min(bytesDone, bytesTotal) / bytesTotal) * 100)}%`;
}

/** What of the histories could not be read, folded to one line. */
export function IndexErrors({ trouble }: { trouble: readonly string[] }): ReactElement | null {
  if (trouble.length === 0) return null;
  const places = trouble.length === 1 ? "One place" : `${trouble.length} places`;
  return (
    <details className="shrink-0 border-t px-4 py-1.5 text-12 text-muted">
      <summary className="w-fit cursor-default">{places} could not be read</summary>
      <ul className="mt-1 max-h-40 select-text overflow-auto pl-4">
        {trouble.map((sentence) => (
          <li key={sentence} className="list-disc break-words">
            {sentence}
          </li>
        ))}
      </ul>
    </details>
  );
}
