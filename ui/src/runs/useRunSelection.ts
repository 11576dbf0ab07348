import { useCallback, useEffect, useMemo, useState } from "react";
import type { RunsPageRow } from "@/api/bindings";
import { extendTo, noSelection, selectAll, toggleRun } from "./selection";

/** The selected runs of a list. Runs that disappear from the list are no longer selected. */
export function useRunSelection(rows: readonly RunsPageRow[]) {
  const [selection, select] = useState(noSelection);
  const listed = useMemo(() => rows.map(({ id }) => id), [rows]);
  const selected = useMemo(
    () => rows.filter(({ id }) => selection.ids.has(id)),
    [rows, selection.ids],
  );
  const clear = useCallback(() => select(noSelection), []);
  useEffect(() => {
    if (selection.ids.size > 0 && selected.length === 0) clear();
  }, [selection, selected, clear]);
  return {
    ids: selection.ids,
    selected,
    clear,
    /** Reduces the selection to some of its runs. */
    keep: (kept: readonly string[]) => select(({ anchor }) => ({ ids: new Set(kept), anchor })),
    selectAll: () => select(selectAll(listed)),
    /** With `range`, selects everything from the last selected run. */
    toggle: (line: number, range: boolean) => {
      const id = listed[line];
      if (id === undefined) return;
      select((before) => (range ? extendTo(before, id, listed) : toggleRun(before, id)));
    },
  };
}
