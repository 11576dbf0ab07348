import { TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import type { MergeConflictView } from "@/api/bindings";
import { conflictKindLabels } from "./conflictKindLabels";

/** The maximum number of files listed per conflict. */
const maxFilesShown = 12;

/** Merge conflicts between nodes, with their files. */
export function FanInConflicts({
  clashes,
}: {
  clashes: readonly MergeConflictView[];
}): ReactElement | null {
  if (clashes.length === 0) return null;
  return (
    <ul aria-label="Merge conflicts" className="flex flex-col gap-2">
      {clashes.map((clash) => (
        <li key={`${clash.ours} ${clash.theirs}`} className="flex gap-2">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-state-waiting" />
          <div className="min-w-0">
            <p dir="auto" className="break-words">
              {clash.theirs} conflicts with {clash.ours}
            </p>
            <ul className="flex flex-col text-12">
              {clash.files.slice(0, maxFilesShown).map(({ path, kind }) => (
                <li key={path} className="flex flex-wrap items-baseline gap-x-2">
                  <code dir="auto" className="min-w-0 select-text break-all font-mono">
                    {path}
                  </code>
                  <span className="text-faint">{conflictKindLabels[kind]}</span>
                </li>
              ))}
              {clash.files.length > maxFilesShown && (
                <li className="text-faint">and {clash.files.length - maxFilesShown} more</li>
              )}
            </ul>
          </div>
        </li>
      ))}
    </ul>
  );
}
