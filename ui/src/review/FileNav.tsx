import type { ReactElement } from "react";
import type { FileDiffView } from "@/api/bindings";
import { LineCounts } from "@/attempt/FileDeltaList";
import { deltaLetters } from "@/attempt/fileDeltaText";

export interface FileNavProps {
  files: readonly FileDiffView[];
  /** The number of files that the backend did not list. */
  leftOut: number;
  /** How many comments a file has. */
  countOf: (path: string) => number;
  onOpen: (index: number) => void;
}

/** The list of changed files, which leads to each of them. */
export function FileNav({ files, leftOut, countOf, onOpen }: FileNavProps): ReactElement {
  return (
    <nav
      aria-label="Changed files"
      className="hidden w-64 shrink-0 flex-col overflow-auto border-r py-1 @min-[48rem]:flex"
    >
      <ul>
        {files.map(({ delta }, index) => (
          <li key={delta.path}>
            <button
              type="button"
              title={delta.path}
              onClick={() => onOpen(index)}
              className="flex w-full items-baseline gap-2 px-3 py-0.5 text-left text-12 leading-5 hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span aria-hidden="true" className="w-3 shrink-0 font-mono text-faint">
                {deltaLetters[delta.change]}
              </span>
              {/* The end of a path says more than its beginning. */}
              <span dir="rtl" className="min-w-0 truncate text-left font-mono">
                <bdi>{delta.path}</bdi>
              </span>
              <CommentCount count={countOf(delta.path)} />
              <LineCounts added={delta.added} removed={delta.removed} />
            </button>
          </li>
        ))}
      </ul>
      {leftOut > 0 && <p className="px-3 py-1 text-12 text-faint">{leftOut} more not listed.</p>}
    </nav>
  );
}

function CommentCount({ count }: { count: number }): ReactElement | null {
  if (count === 0) return null;
  return (
    <span className="shrink-0 rounded-full bg-accent-tint px-1.5 text-accent-fg tabular-nums">
      {count}
      <span className="sr-only">{count === 1 ? " comment" : " comments"}</span>
    </span>
  );
}
