import type { Autonomy, Node } from "@/api/bindings";
import { formatList } from "./formatList";
import { quoteTitle } from "./quotedTitle";

/** How many nodes are listed by title. */
const maxNamed = 4;

/**
 * Describes what an approval lets agents without a tool list do, in one sentence. `undefined` at
 * levels where each call asks or is blocked.
 */
export function describeUnrestrictedTools(
  nodes: readonly Node[],
  level: Autonomy,
): string | undefined {
  const isAgents = ({ kind }: Node) => kind.kind === "agent" || kind.kind === "llm_decision";
  const free = nodes.filter(
    (node) => isAgents(node) && !node.disabled && node.toolsRequired.length === 0,
  );
  if (free.length === 0 || (level !== 1 && level !== 4)) return undefined;
  const titles = free.slice(0, maxNamed).map(({ title }) => quoteTitle(title));
  if (free.length > maxNamed) titles.push(`${free.length - maxNamed} more`);
  return `${formatList(titles)} may use any tool, including the shell.`;
}
