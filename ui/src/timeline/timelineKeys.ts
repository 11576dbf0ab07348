import type { KeyPress } from "@/commands/chord";
import { type LocalCommandId, localCommandFor } from "@/commands/localCommands";

/** What a key means while an entry, and not a field or button, has the focus. */
export type TimelineKey =
  | { act: "step"; by: 1 | -1 }
  | { act: "toggle" }
  | { act: "end"; end: "top" | "bottom" }
  | { act: "jump"; target: "error" | "question"; step: 1 | -1 }
  | { act: "find" };

const acts: Partial<Record<LocalCommandId, TimelineKey>> = {
  timeline_next: { act: "step", by: 1 },
  timeline_previous: { act: "step", by: -1 },
  timeline_toggle: { act: "toggle" },
  timeline_beginning: { act: "end", end: "top" },
  timeline_end: { act: "end", end: "bottom" },
  timeline_find: { act: "find" },
  timeline_next_error: { act: "jump", target: "error", step: 1 },
  timeline_previous_error: { act: "jump", target: "error", step: -1 },
  timeline_next_question: { act: "jump", target: "question", step: 1 },
  timeline_previous_question: { act: "jump", target: "question", step: -1 },
};

/** The meaning of a key press, if it has one here. */
export function timelineKey(press: KeyPress): TimelineKey | undefined {
  const id = localCommandFor("timeline", press);
  return id && acts[id];
}

/** Keys of the search that write nothing, such as Control with F, so that they count in the whole window. */
export function isFindKey(press: KeyPress): boolean {
  const writes = !press.ctrlKey && !press.metaKey && !press.altKey && press.key.length === 1;
  return !writes && localCommandFor("timeline", press) === "timeline_find";
}
