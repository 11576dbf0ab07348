import type { ReactElement } from "react";
import type { FileEdit, FileEditKind, TimelineEntry } from "@/api/bindings";
import { DiffSize, DiffView, maxDiffRows } from "@/attempt/DiffView";
import { diffRows } from "@/attempt/diffRows";
import { formatNumber } from "@/components/formatCount";
import { sessionPath } from "./sessionPath";
import { useTimelineContext } from "./timelineContext";

const kindLabels: Record<FileEditKind, string> = {
  created: "New file",
  written: "Whole file",
  changed: "Changed",
  deleted: "Deleted",
};

interface FileEditListProps {
  entry: TimelineEntry;
  edits: readonly FileEdit[];
}

/** The files that a call changes, each with its diff. */
export function FileEditList({ entry, edits }: FileEditListProps): ReactElement {
  return (
    <ul className="flex flex-col gap-2">
      {edits.map((edit, at) => (
        // A call may change one file twice.
        // biome-ignore lint/suspicious/noArrayIndexKey: the edits of a call never change order
        <li key={at} className="min-w-0">
          <EditHead edit={edit} />
          {edit.hunks.length > 0 && <EditDiff edit={edit} name={`${entry.seq} edit ${at}`} />}
          {edit.leftOutLines > 0 && (
            <p className="pt-0.5 text-12 text-faint">
              {formatNumber(edit.leftOutLines)} more {edit.leftOutLines === 1 ? "line" : "lines"}{" "}
              not shown.
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A diff, whose end is shown on request. `name` identifies it in the view, as rows unmount. */
function EditDiff({ edit, name }: { edit: FileEdit; name: string }): ReactElement {
  const { view, dispatch } = useTimelineContext();
  const rows = diffRows(edit.hunks).length;
  // A button for a few more lines would hide more than it saves.
  const isLong = rows > maxDiffRows * 1.3;
  const isOpen = !isLong || view.unfolded.has(name);
  return (
    <>
      <DiffView path={edit.path} hunks={edit.hunks} most={isOpen ? rows : maxDiffRows - 1} />
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => dispatch({ act: "unfold", text: name, whole: !isOpen })}
          className="pt-0.5 font-medium text-12 text-accent-fg hover:underline"
        >
          {isOpen ? "Show less" : `Show all ${formatNumber(rows)} lines`}
        </button>
      )}
    </>
  );
}

function EditHead({ edit }: { edit: FileEdit }): ReactElement {
  const { directory, openPath } = useTimelineContext();
  const path = sessionPath(edit.path, directory);
  return (
    <p className="flex min-w-0 items-baseline gap-2 pb-1 text-12">
      <button
        type="button"
        dir="auto"
        title={edit.path}
        disabled={!openPath || edit.kind === "deleted"}
        onClick={() => openPath?.({ path: edit.movedTo ?? edit.path, ...lineOf(edit) })}
        className="min-w-0 select-text truncate font-mono enabled:hover:underline"
      >
        {path}
        {edit.movedTo !== undefined && ` → ${sessionPath(edit.movedTo, directory)}`}
      </button>
      <span className="shrink-0 text-faint">{kindLabels[edit.kind]}</span>
      {edit.hunks.length > 0 && <DiffSize hunks={edit.hunks} />}
    </p>
  );
}

/** The first changed line, if it is known. */
function lineOf({ hunks: [first] }: FileEdit): { line?: number } {
  return first && first.newStart > 0 ? { line: first.newStart } : {};
}
