import type { ReactElement } from "react";
import { formatNumber } from "@/components/formatCount";
import { type EntryFilter, filterLabels } from "./entryFilters";
import type { FilterState } from "./FilterScan";

export interface FilterNoticeProps {
  found: FilterState;
  scanEarlier: () => void;
  filter: EntryFilter;
  total: number;
}

/**
 * Shows how much of the session a filter has scanned. Scanning starts at the end and continues on
 * request.
 */
export function FilterNotice({
  found,
  scanEarlier,
  filter,
  total,
}: FilterNoticeProps): ReactElement | null {
  const { seqs, scannedFrom, working } = found;
  const nothing = seqs.length === 0;
  if (scannedFrom === 0 && !nothing && !working) return null;

  return (
    <p
      role="status"
      className="flex shrink-0 items-center gap-2 border-b px-4 py-1 text-12 text-muted"
    >
      {nothing && !working
        ? `No entries match “${filterLabels[filter]}”`
        : `${formatNumber(seqs.length)} found`}{" "}
      {scannedFrom > 0 &&
        `in the last ${formatNumber(total - scannedFrom)} of ${formatNumber(total)} entries`}
      {working && <span className="text-faint">Searching…</span>}
      {!working && scannedFrom > 0 && (
        <button
          type="button"
          onClick={scanEarlier}
          className="font-medium text-accent-fg hover:underline"
        >
          Search earlier entries
        </button>
      )}
    </p>
  );
}
