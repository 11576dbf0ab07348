import { chordsOf, type KeyPress } from "@/commands/chord";
import { type LocalCommandId, localCommandFor } from "@/commands/localCommands";

type PlainAct = "start" | "end" | "find" | "line" | "select_all" | "copy" | "escape";

/** What a key does in an output. */
export type OutputKey =
  | { act: "rows"; count: 1 | -1 }
  | { act: "page"; direction: 1 | -1 }
  | { act: "match"; step: 1 | -1 }
  | { act: "error"; step: 1 | -1 }
  | { [Act in PlainAct]: { act: Act } }[PlainAct];

/** The keys of the timeline that mean the same here. They can be changed in the settings. */
const byCommand: Partial<Record<LocalCommandId, OutputKey>> = {
  timeline_next: { act: "rows", count: 1 },
  timeline_previous: { act: "rows", count: -1 },
  timeline_beginning: { act: "start" },
  timeline_end: { act: "end" },
  timeline_find: { act: "find" },
  timeline_next_error: { act: "error", step: 1 },
  timeline_previous_error: { act: "error", step: -1 },
};

const byChord: Readonly<Record<string, OutputKey>> = {
  PageDown: { act: "page", direction: 1 },
  PageUp: { act: "page", direction: -1 },
  Space: { act: "page", direction: 1 },
  "Shift+Space": { act: "page", direction: -1 },
  "Mod+Home": { act: "start" },
  "Mod+End": { act: "end" },
  "Mod+A": { act: "select_all" },
  "Mod+C": { act: "copy" },
  Escape: { act: "escape" },
  "Mod+G": { act: "line" },
  F3: { act: "match", step: 1 },
  "Shift+F3": { act: "match", step: -1 },
};

/** Returns what a key press does in an output, if anything. */
export function outputKey(press: KeyPress): OutputKey | undefined {
  const id = localCommandFor("timeline", press);
  const chord = chordsOf(press).find((each) => Object.hasOwn(byChord, each));
  return (id && byCommand[id]) ?? (chord === undefined ? undefined : byChord[chord]);
}

/**
 * Returns whether a key means the output wherever in it the focus is, because it types nothing and
 * activates nothing.
 */
export function isGlobalOutputKey(key: OutputKey, press: KeyPress): boolean {
  if (key.act === "match" || key.act === "line") return true;
  return key.act === "find" && (press.ctrlKey || press.metaKey || press.key.length > 1);
}
