import type { TimelineEntry } from "@/api/bindings";

/** The filters of the timeline toolbar. */
export type EntryFilter = "all" | "text" | "tools" | "errors" | "output";

export const filterLabels: Record<EntryFilter, string> = {
  all: "All",
  text: "Text",
  tools: "Tools",
  errors: "Errors",
  output: "Output",
};

/**
 * Returns whether `entry` is an error or a failed tool call. A denied tool call is a decision, not
 * an error.
 */
export function isError({ kind }: TimelineEntry): boolean {
  if (kind.type === "error") return true;
  return kind.type === "toolCall" && kind.result?.ok === false && !kind.result.denied;
}

/** Returns whether `entry` asks for permission, answered or not. */
export function isQuestion({ kind }: TimelineEntry): boolean {
  return kind.type === "permission";
}

/** Returns whether `entry` matches the filter. */
export function matchesFilter(filter: EntryFilter, entry: TimelineEntry): boolean {
  switch (filter) {
    case "all":
      return true;
    case "text":
      return ["prompt", "text", "thinking", "note", "image"].includes(entry.kind.type);
    case "tools":
      return ["toolCall", "todoList"].includes(entry.kind.type) || isQuestion(entry);
    case "errors":
      return isError(entry) || entry.kind.type === "retry";
    case "output":
      return entry.kind.type === "output";
  }
}

/** Returns whether `entry` is expanded until the user collapses it. */
export function isOpenByDefault(entry: TimelineEntry): boolean {
  return isError(entry);
}

/** Returns whether `entry` can be expanded and collapsed. */
export function isExpandable({ kind }: TimelineEntry): boolean {
  return ["prompt", "thinking", "toolCall", "unknown", "permission"].includes(kind.type);
}
