import type { TimelineEntry } from "@/api/bindings";
import { isReadOnlyCall } from "@/attempt/toolCategory";
import { pageSize, pageStart } from "./entryPages";

/** The content of the row of one entry. */
export type TimelineRow =
  | { kind: "unread" }
  | { kind: "entry"; entry: TimelineEntry; inGroup: boolean }
  | { kind: "group"; entries: TimelineEntry[]; open: boolean }
  /** Hidden in a closed group that starts above. */
  | { kind: "hidden" };

const minGroupSize = 3;

type EntryAt = (seq: number) => TimelineEntry | undefined;

/**
 * Returns the row of the entry `seq`. Consecutive reads and searches become one group, in the row
 * of the first. Groups end at page boundaries, so a row never depends on a page that may not be
 * loaded.
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

/** Returns the first entry of the group that contains `seq`, if any. */
export function groupStart(seq: number, entryAt: EntryAt): number | undefined {
  const group = groupAround(seq, entryAt);
  return group.length < minGroupSize ? undefined : group[0]?.seq;
}

function groupAround(seq: number, entryAt: EntryAt): TimelineEntry[] {
  const start = pageStart(seq);
  const readOnlyCallAt = (at: number) => {
    const entry = at >= start && at < start + pageSize ? entryAt(at) : undefined;
    return entry && isReadOnlyCall(entry) ? entry : undefined;
  };
  if (!readOnlyCallAt(seq)) return [];
  let first = seq;
  while (readOnlyCallAt(first - 1)) first -= 1;
  const group = [];
  for (let at = first; ; at += 1) {
    const entry = readOnlyCallAt(at);
    if (!entry) return group;
    group.push(entry);
  }
}
