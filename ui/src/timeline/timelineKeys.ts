import type { KeyPress } from "@/commands/chord";
import { type LocalCommandId, localCommandFor } from "@/commands/localCommands";

/** The action of a key while an entry is focused, not a field or a button. */
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

/** Returns the action of a key press in the timeline, if any. */
export function timelineKey(press: KeyPress): TimelineKey | undefined {
  const id = localCommandFor("timeline", press);
  return id && acts[id];
}

/**
 * Returns whether the keys start a search and type no character, such as Ctrl+F, so they can work
 * in the whole window.
 */
export function isFindKey(press: KeyPress): boolean {
  const writes = !press.ctrlKey && !press.metaKey && !press.altKey && press.key.length === 1;
  return !writes && localCommandFor("timeline", press) === "timeline_find";
}
