import { type ReactElement, type ReactNode, useState } from "react";
import type { FileDeltaView } from "@/api/bindings";
import { Button } from "@/components/Button";
import { formatCount } from "@/components/formatCount";
import { deltaLetters } from "./fileDeltaText";

const initialCount = 12;

interface FileDeltaListProps {
  /** Label for screen readers. */
  label: string;
  files: readonly FileDeltaView[];
  /** The number of files that the backend did not list. */
  leftOut: number;
  /** Renders a note after a file, such as the node that changed it. */
  aside?: (file: FileDeltaView) => ReactNode;
}

/** Changed files with their line counts. Long lists are collapsed. */
export function FileDeltaList({ label, files, leftOut, aside }: FileDeltaListProps): ReactElement {
  const [all, setAll] = useState(false);
  const shown = all ? files : files.slice(0, initialCount);
  return (
    <div>
      <ul aria-label={label} className="flex flex-col">
        {shown.map((file) => (
          <DeltaRow key={file.path} file={file} aside={aside?.(file)} />
        ))}
      </ul>
      {files.length > shown.length && (
        <Button size="small" className="mt-1" onClick={() => setAll(true)}>
          Show all {files.length} files
        </Button>
      )}
      {leftOut > 0 && <p className="text-12 text-faint">{leftOut} more not listed.</p>}
    </div>
  );
}

function DeltaRow({ file, aside }: { file: FileDeltaView; aside: ReactNode }): ReactElement {
  return (
    <li className="flex items-baseline gap-2 text-12 leading-5">
      <span title={file.change} className="w-3 shrink-0 font-mono text-faint">
        <span aria-hidden="true">{deltaLetters[file.change]}</span>
        <span className="sr-only">{file.change}</span>
      </span>
      <span dir="auto" className="min-w-0 select-text break-all font-mono">
        {file.from !== null && <span className="text-faint">{file.from} → </span>}
        {file.path}
      </span>
      {aside && <span className="min-w-0 truncate text-faint">{aside}</span>}
      <LineCounts added={file.added} removed={file.removed} />
    </li>
  );
}

/** The number of added and removed lines, or a note for binary files. */
export function LineCounts(props: { added: number | null; removed: number | null }): ReactElement {
  const { added, removed } = props;
  if (added === null || removed === null) {
    return <span className="ml-auto shrink-0 text-12 text-faint">binary</span>;
  }
  return (
    <span className="ml-auto shrink-0 font-mono text-12 tabular-nums">
      <span aria-hidden="true">
        <span className="text-state-done">+{added}</span>{" "}
        <span className="text-danger-fg">−{removed}</span>
      </span>
      <span className="sr-only">
        {formatCount(added, "line")} added, {removed} removed
      </span>
    </span>
  );
}
