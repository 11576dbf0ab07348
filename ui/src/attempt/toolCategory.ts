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
const toolNames: Record<Exclude<ToolCategory, "other">, string> = {
  read: "read notebookread read_file read_many_files view_image ls list list_directory",
  search: "grep glob find search toolsearch grep_search search_file_content codesearch",
  edit: "edit multiedit notebookedit apply_patch patch replace",
  write: "write write_file",
  run: "bash shell local_shell exec_command run_shell_command execute bashoutput",
  fetch: "webfetch web_fetch fetch websearch web_search google_web_search",
  delegate: "task agent",
  plan: "todowrite write_todos update_plan",
};

const sorts = new Map(
  (Object.keys(toolNames) as (keyof typeof toolNames)[]).flatMap((category) =>
    toolNames[category].split(" ").map((name) => [name, category] as const),
  ),
);

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
  return sorts.get(name.toLowerCase()) ?? "other";
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
