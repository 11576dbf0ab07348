/** What the only node of a plan does. */
export interface SingleNodeDraft {
  kind: "command" | "agent";
  /** The command for `sh`, or the prompt. */
  task: string;
  title: string;
}

const maxTitleLength = 80;

/** A title for a plan of one node: the person's, or the beginning of the task. */
export function singleNodeTitle({ title, task, kind }: SingleNodeDraft): string {
  const own = title.trim();
  if (own) return own;
  const first = task.trim().split("\n", 1)[0]?.replace(/\s+/g, " ").trim() ?? "";
  if (!first) return kind === "command" ? "Single command" : "Single agent task";
  return first.length <= maxTitleLength
    ? first
    : `${first.slice(0, maxTitleLength - 1).trimEnd()}…`;
}

/** The plan as a plan file in JSON, so that it comes into being in one act or not at all. */
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
