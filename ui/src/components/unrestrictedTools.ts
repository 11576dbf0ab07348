import type { Autonomy, Node } from "@/api/bindings";

/** The most nodes that are named. */
const maxNamed = 4;

/** What an approval lets agents without a list of tools do, in one sentence; none where each call asks or is refused. */
export function describeUnrestrictedTools(
  nodes: readonly Node[],
  level: Autonomy,
): string | undefined {
  const isAgents = ({ kind }: Node) => kind.kind === "agent" || kind.kind === "llm_decision";
  const free = nodes.filter(
    (node) => isAgents(node) && !node.disabled && node.toolsRequired.length === 0,
  );
  if (free.length === 0 || (level !== 1 && level !== 4)) return undefined;
  const titles = free.slice(0, maxNamed).map(({ title }) => `“${title}”`);
  if (free.length > maxNamed) titles.push(`${free.length - maxNamed} more`);
  const list = new Intl.ListFormat("en", { type: "conjunction" }).format(titles);
  return `${list} may use any tool, the shell included.`;
}
