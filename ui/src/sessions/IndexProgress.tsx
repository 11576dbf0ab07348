import type { ReactElement } from "react";
import type { TranscriptsIndexing } from "@/api/bindings";

/**
 * Progress of indexing the agents' histories. Unobtrusive, because the list can already be used.
 */
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

/** Describes the progress; `undefined` when everything is indexed. */
export function describeIndexProgress(indexing: TranscriptsIndexing): string | undefined {
  const { listing, reading, bytesDone, bytesTotal } = indexing;
  if (listing) return "Searching for sessions…";
  if (!reading) return undefined;
  if (bytesTotal === 0) return "Indexing sessions…";
  // Rounded down, so 100% is never shown early.
  return `Indexing sessions: ${Math.floor((Math.min(bytesDone, bytesTotal) / bytesTotal) * 100)}%`;
}

/** The histories that could not be read, collapsed to one line. */
export function IndexErrors({ trouble }: { trouble: readonly string[] }): ReactElement | null {
  if (trouble.length === 0) return null;
  const problems = trouble.length === 1 ? "1 problem" : `${trouble.length} problems`;
  return (
    <details className="shrink-0 border-t px-4 py-1.5 text-12 text-muted">
      <summary className="w-fit cursor-default">{problems} reading sessions</summary>
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
