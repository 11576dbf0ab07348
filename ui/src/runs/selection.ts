/** The selected runs, and the run from which Shift selects a range. */
export interface Selection {
  ids: ReadonlySet<string>;
  anchor: string | undefined;
}

export const noSelection: Selection = { ids: new Set(), anchor: undefined };

/** Selects or deselects one run. */
export function toggleRun({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** Adds the runs from the anchor to `id`, in the order of the list. */
export function extendTo(selection: Selection, id: string, listed: readonly string[]): Selection {
  const from = listed.indexOf(selection.anchor ?? id);
  const to = listed.indexOf(id);
  if (from < 0 || to < 0) return toggleRun(selection, id);
  const range = listed.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...range]), anchor: selection.anchor ?? id };
}

export function selectAll(listed: readonly string[]): Selection {
  return { ids: new Set(listed), anchor: listed[0] };
}
