import type { Autonomy, Plan } from "@/api/bindings";
import { formatList } from "./formatList";
import { quoteTitle } from "./quotedTitle";

/** How many nodes are listed by title. */
const maxNamed = 4;

/**
 * Describes what an approval lets agents without a tool list do, in one sentence. `undefined` at
 * levels where each call asks or is blocked, and if the plan lists the tools of all.
 */
export function describeUnrestrictedTools(
  { nodes, settings }: Pick<Plan, "nodes" | "settings">,
  level: Autonomy,
): string | undefined {
  if ((settings.toolsRequired ?? []).length > 0) return undefined;
  const isAgents = ({ kind }: Plan["nodes"][number]) =>
    kind.kind === "agent" || kind.kind === "llm_decision";
  const free = nodes.filter(
    (node) => isAgents(node) && !node.disabled && node.toolsRequired.length === 0,
  );
  if (free.length === 0 || (level !== 1 && level !== 4)) return undefined;
  const titles = free.slice(0, maxNamed).map(({ title }) => quoteTitle(title));
  if (free.length > maxNamed) titles.push(`${free.length - maxNamed} more`);
  return `${formatList(titles)} may use any tool, including the shell.`;
}
