export interface SingleNodeDraft {
  kind: "command" | "agent";
  /** The command for `sh`, or the prompt. */
  task: string;
  title: string;
}

const maxTitleLength = 80;

/** Returns the title of a plan with one node: the given one, or the first line of the task. */
export function singleNodeTitle({ title, task, kind }: SingleNodeDraft): string {
  const own = title.trim();
  if (own) return own;
  const first = task.trim().split("\n", 1)[0]?.replace(/\s+/g, " ").trim() ?? "";
  if (!first) return kind === "command" ? "Single command" : "Single agent task";
  return first.length <= maxTitleLength
    ? first
    : `${first.slice(0, maxTitleLength - 1).trimEnd()}…`;
}

/** Returns the plan as a JSON plan file. One import creates it completely or not at all. */
export function singleNodePlan(node: SingleNodeDraft): string {
  const title = singleNodeTitle(node);
  const task = node.kind === "command" ? { command: node.task } : { prompt: node.task };
  const only = {
    id: node.kind === "command" ? "command" : "task",
    title,
    kind: node.kind,
    ...task,
  };
  return JSON.stringify({ baton: 1, title, nodes: [only] });
}
