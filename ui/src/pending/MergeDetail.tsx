import type { ReactElement } from "react";
import type { Conflict } from "@/api/bindings";
import { conflictKindLabels } from "@/attempt/conflictKindLabels";

/** The maximum number of listed files. The worktree has them all. */
const maxFilesShown = 12;

/** The conflicting files, and the worktree in which to resolve them. */
export function MergeDetail({ conflict }: { conflict: Conflict }): ReactElement {
  const { files, place, still } = conflict;
  const more = files.length - maxFilesShown;
  return (
    <div className="flex min-w-0 flex-col gap-1.5 text-sm">
      {still && <p className="text-state-failed">{still}</p>}
      <ul aria-label="Conflicting files" className="flex min-w-0 flex-col gap-0.5">
        {files.slice(0, maxFilesShown).map(({ path, kind }) => (
          <li key={path} className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <code dir="auto" className="min-w-0 select-text break-all font-mono">
              {path}
            </code>
            <span className="text-faint">{conflictKindLabels[kind]}</span>
          </li>
        ))}
        {more > 0 && <li className="text-faint">and {more} more</li>}
      </ul>
      <p className="text-muted">
        The files with conflict markers are in{" "}
        <code className="select-all break-all font-mono">{place}</code>. Your own directory is
        unchanged.
      </p>
    </div>
  );
}
