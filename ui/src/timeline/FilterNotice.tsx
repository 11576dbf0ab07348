import type { ReactElement } from "react";
import { formatNumber } from "@/components/formatCount";
import { type EntryFilter, filterLabels } from "./entryFilters";
import type { FilterState } from "./FilterScan";

export interface FilterNoticeProps {
  found: FilterState;
  lookFurther: () => void;
  filter: EntryFilter;
  total: number;
}

/** How far a filter has looked. It begins at the end and goes on when asked, so a long session is not read for nothing. */
export function FilterNotice({
  found,
  lookFurther,
  filter,
  total,
}: FilterNoticeProps): ReactElement | null {
  const { seqs, lookedFrom, working } = found;
  const nothing = seqs.length === 0;
  if (lookedFrom === 0 && !nothing && !working) return null;

  return (
    <p
      role="status"
      className="flex shrink-0 items-center gap-2 border-b px-4 py-1 text-12 text-muted"
    >
      {nothing && !working
        ? `Nothing under “${filterLabels[filter]}”`
        : `${formatNumber(seqs.length)} found`}{" "}
      {lookedFrom > 0 &&
        `in the last ${formatNumber(total - lookedFrom)} of ${formatNumber(total)} entries`}
      {working && <span className="text-faint">Looking</span>}
      {!working && lookedFrom > 0 && (
        <button
          type="button"
          onClick={lookFurther}
          className="font-medium text-accent-fg hover:underline"
        >
          Look further back
        </button>
      )}
    </p>
  );
}
