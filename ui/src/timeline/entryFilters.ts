import type { TimelineEntry } from "@/api/bindings";

/** Which entries are shown. */
export type EntryFilter = "all" | "text" | "tools" | "errors" | "output";

export const filterLabels: Record<EntryFilter, string> = {
  all: "All",
  text: "Text",
  tools: "Tools",
  errors: "Errors",
  output: "Output",
};

/** Whether `entry` tells of something that went wrong. A refused tool is a decision, not an error. */
export function isError({ kind }: TimelineEntry): boolean {
  if (kind.type === "error") return true;
  return kind.type === "toolCall" && kind.result?.ok === false && !kind.result.denied;
}

/** Whether `entry` asks something of a person, answered or not. */
export function isQuestion({ kind }: TimelineEntry): boolean {
  return kind.type === "permission";
}

/** Whether the filter lets `entry` through. */
export function matchesFilter(filter: EntryFilter, entry: TimelineEntry): boolean {
  switch (filter) {
    case "all":
      return true;
    case "text":
      return ["prompt", "text", "thinking", "note"].includes(entry.kind.type);
    case "tools":
      return entry.kind.type === "toolCall" || isQuestion(entry);
    case "errors":
      return isError(entry) || entry.kind.type === "retry";
    case "output":
      return entry.kind.type === "output";
  }
}

/** Whether `entry` shows its inside until the person says otherwise. */
export function isOpenByDefault(entry: TimelineEntry): boolean {
  return isError(entry);
}

/** Whether `entry` has an inside that can be opened and closed. */
export function isExpandable({ kind }: TimelineEntry): boolean {
  return ["prompt", "thinking", "toolCall", "unknown", "permission"].includes(kind.type);
}
