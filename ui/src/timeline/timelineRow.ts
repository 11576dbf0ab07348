import type { TimelineEntry } from "@/api/bindings";
import { isReadOnlyCall } from "@/attempt/toolCategory";
import { pageSize, pageStart } from "./entryPages";

/** What stands in the place of one entry. */
export type TimelineRow =
  | { kind: "unread" }
  | { kind: "entry"; entry: TimelineEntry; inGroup: boolean }
  | { kind: "group"; entries: TimelineEntry[]; open: boolean }
  /** Hidden in a group that stands above. */
  | { kind: "hidden" };

const minGroupSize = 3;

type EntryAt = (seq: number) => TimelineEntry | undefined;

/**
 * The row of the entry `seq`. Consecutive looks (reads and searches) become one row, at the place of the first.
 * Groups are found within one page only: so a row depends on nothing that may not be loaded.
 */
export function timelineRowAt(
  seq: number,
  entryAt: EntryAt,
  isOpen: (first: number) => boolean,
): TimelineRow {
  const entry = entryAt(seq);
  if (!entry) return { kind: "unread" };
  const group = groupAround(seq, entryAt);
  if (group.length < minGroupSize) return { kind: "entry", entry, inGroup: false };
  const first = group[0]?.seq ?? seq;
  const open = isOpen(first);
  if (seq === first) return { kind: "group", entries: group, open };
  return open ? { kind: "entry", entry, inGroup: true } : { kind: "hidden" };
}

/** The first entry of the group that `seq` belongs to, if it belongs to one. */
export function groupStart(seq: number, entryAt: EntryAt): number | undefined {
  const group = groupAround(seq, entryAt);
  return group.length < minGroupSize ? undefined : group[0]?.seq;
}

function groupAround(seq: number, entryAt: EntryAt): TimelineEntry[] {
  const start = pageStart(seq);
  const looksAt = (at: number) => {
    const entry = at >= start && at < start + pageSize ? entryAt(at) : undefined;
    return entry && isReadOnlyCall(entry) ? entry : undefined;
  };
  if (!looksAt(seq)) return [];
  let first = seq;
  while (looksAt(first - 1)) first -= 1;
  const group = [];
  for (let at = first; ; at += 1) {
    const entry = looksAt(at);
    if (!entry) return group;
    group.push(entry);
  }
}
