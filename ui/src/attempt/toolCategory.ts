import type { TimelineEntry } from "@/api/bindings";

/** The category of a tool, derived from its name. */
export type ToolCategory =
  | "read"
  | "search"
  | "edit"
  | "write"
  | "run"
  | "fetch"
  | "delegate"
  | "plan"
  | "other";

// The tool names of current agents. Other tools are shown by their name.
const sorts: Record<string, ToolCategory> = {
  read: "read",
  notebookread: "read",
  read_file: "read",
  ls: "read",
  grep: "search",
  glob: "search",
  search: "search",
  toolsearch: "search",
  edit: "edit",
  multiedit: "edit",
  notebookedit: "edit",
  apply_patch: "edit",
  write: "write",
  write_file: "write",
  bash: "run",
  shell: "run",
  bashoutput: "run",
  webfetch: "fetch",
  websearch: "fetch",
  task: "delegate",
  agent: "delegate",
  todowrite: "plan",
};

const verbs: Record<Exclude<ToolCategory, "other">, string> = {
  read: "Read",
  search: "Search",
  edit: "Edit",
  write: "Write",
  run: "Run",
  fetch: "Fetch",
  delegate: "Delegate",
  plan: "Plan",
};

export function toolCategory(name: string): ToolCategory {
  return sorts[name.toLowerCase()] ?? "other";
}

/** Returns a verb such as "Read" for a known tool, otherwise the tool's name. */
export function toolVerb(name: string): string {
  const sort = toolCategory(name);
  return sort === "other" ? name : verbs[sort];
}

/** Formats a tool input: the command of a shell call, otherwise JSON. */
export function formatToolInput(name: string, input: unknown): string {
  if (toolCategory(name) === "run" && hasCommand(input)) return input.command;
  return JSON.stringify(input, null, 2) ?? "";
}

function hasCommand(input: unknown): input is { command: string } {
  return (
    typeof input === "object" &&
    input !== null &&
    "command" in input &&
    typeof input.command === "string"
  );
}

/** Returns whether `entry` is a successful read or search, which can be grouped. */
export function isReadOnlyCall({ kind }: TimelineEntry): boolean {
  if (kind.type !== "toolCall" || kind.result?.ok !== true) return false;
  const sort = toolCategory(kind.name);
  return sort === "read" || sort === "search";
}

/** Summarizes a group: "Read 4 files, searched 2 times". */
export function describeToolGroup(entries: readonly TimelineEntry[]): string {
  const count = (sort: ToolCategory) =>
    entries.filter(({ kind }) => kind.type === "toolCall" && toolCategory(kind.name) === sort)
      .length;
  const reads = count("read");
  const searches = count("search");
  const words = [
    reads > 0 && `read ${reads} ${reads === 1 ? "file" : "files"}`,
    searches > 0 && `searched ${searches === 1 ? "once" : `${searches} times`}`,
  ].filter((part) => part !== false);
  const sentence = words.join(", ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
