import { RotateCw } from "lucide-react";
import type { ReactElement } from "react";
import type { NodeDiffView } from "@/api/bindings";
import { sumChangedLines } from "@/attempt/fileDeltaText";
import { CopyButton } from "@/components/CopyButton";
import { formatCount, formatNumber } from "@/components/formatCount";
import { formatList } from "@/components/formatList";
import { IconButton } from "@/components/IconButton";
import { Select } from "@/components/Select";

export interface ChangesHeadProps {
  diff: NodeDiffView;
  /** The attempts that the changes can be compared with. */
  earlier: readonly number[];
  since: number | null;
  onSince: (attempt: number | undefined) => void;
  busy: boolean;
  onReload: () => void;
}

const start = "start";

/** What is shown: how much changed, between which commits, and what is not exact about it. */
export function ChangesHead(props: ChangesHeadProps): ReactElement {
  const { diff, earlier, since, onSince, busy, onReload } = props;
  const { added, removed } = sumChangedLines(diff.files.map(({ delta }) => delta));
  const note = noteOf(diff);
  return (
    <header className="flex shrink-0 flex-col gap-1 border-b px-4 py-2 text-12">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-medium">
          {formatCount(diff.files.length + diff.filesLeftOut, "changed file")}
        </h2>
        <span className="font-mono tabular-nums">
          <span className="text-state-done">+{formatNumber(added)}</span>{" "}
          <span className="text-danger-fg">−{formatNumber(removed)}</span>
        </span>
        {diff.head !== "" && (
          <span className="flex items-center gap-1 text-muted">
            <code title={diff.base}>{shorten(diff.base)}</code> →{" "}
            {diff.committed ? <code title={diff.head}>{shorten(diff.head)}</code> : "current files"}
            {diff.committed && <CopyButton text={diff.head} label="Copy commit ID" />}
          </span>
        )}
        {!diff.committed && diff.head !== "" && (
          <IconButton
            size="small"
            label="Reload changes"
            icon={<RotateCw />}
            aria-busy={busy}
            onClick={onReload}
          />
        )}
        {earlier.length > 0 && diff.basis !== "directory" && (
          <div className="ml-auto w-48">
            <Select
              label="Compare with"
              labelHidden
              value={since === null ? start : String(since)}
              onChange={(id) => onSince(id === start ? undefined : Number(id))}
              options={[
                { id: start, label: "Since the node started" },
                ...earlier.map((attempt) => ({
                  id: String(attempt),
                  label: `Since attempt ${attempt}`,
                })),
              ]}
            />
          </div>
        )}
      </div>
      {note !== undefined && <p className="text-muted">{note}</p>}
    </header>
  );
}

function noteOf({ basis, beside }: NodeDiffView): string | undefined {
  if (basis !== "directory") return undefined;
  const compared =
    "Compared with the commit that was checked out when the node started. Changes that were there before are included.";
  if (beside.length === 0) return compared;
  return `${compared} ${formatList(beside)} worked in the same directory at the same time.`;
}

function shorten(commit: string): string {
  return commit.slice(0, 9);
}
