import type { MenuEntry } from "./Menu";

/**
 * The entries that can be chosen now: without those that can't apply, empty submenus, and headings
 * and lines with nothing below them.
 */
export function applicableEntries(entries: readonly MenuEntry[]): MenuEntry[] {
  const applying = entries.flatMap((entry): MenuEntry[] => {
    if (entry.kind === "act")
      return entry.reason !== undefined || entry.disabled === true ? [] : [entry];
    if (entry.kind !== "more") return [entry];
    const below = applicableEntries(entry.entries);
    return below.length === 0 ? [] : [{ ...entry, entries: below }];
  });
  return applying.filter((entry, at) => {
    const next = applying[at + 1];
    if (entry.kind === "heading") return next !== undefined && next.kind !== "line";
    return entry.kind !== "line" || (isChoosable(applying.slice(0, at)) && !isEnd(next));
  });
}

function isEnd(next: MenuEntry | undefined): boolean {
  return next === undefined || next.kind === "line";
}

function isChoosable(entries: readonly MenuEntry[]): boolean {
  return entries.some(({ kind }) => kind !== "line" && kind !== "heading");
}
