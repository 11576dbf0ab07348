import type { ExpectedQuestion, SimulatedNode, Simulation } from "@/api/bindings";
import { formatElapsed } from "@/components/duration";
import { formatCount, formatNumber } from "@/components/formatCount";
import { formatCost } from "@/components/formatUsage";

/** The texts of a simulation. Pure functions. */

/** Returns "4 nodes in 3 waves, at most 2 at once". */
export function describeOrder({ waves, width, limit }: Simulation): string {
  const nodes = waves.reduce((sum, wave) => sum + wave.length, 0);
  const most = formatNumber(Math.min(width, limit));
  return `${formatCount(nodes, "node")} in ${formatCount(waves.length, "wave")}, at most ${most} at once`;
}

/** Returns "About 4m 05s, unknown for 1 node". */
export function describeTime({ timeMs, unknownTimes }: Simulation): string {
  return describeKnown(timeMs === null ? undefined : formatElapsed(timeMs), unknownTimes);
}

/** Returns "About $0.30, unknown for 1 node", or undefined if no node can cost anything. */
export function describeCost({ usd, unknownCosts }: Simulation): string | undefined {
  if (usd === null && unknownCosts === 0) return undefined;
  return describeKnown(usd === null ? undefined : formatCost(usd), unknownCosts);
}

function describeKnown(known: string | undefined, unknown: number): string {
  if (known === undefined) return "Unknown: there are no earlier runs";
  return unknown === 0
    ? `About ${known}`
    : `About ${known}, unknown for ${formatCount(unknown, "node")}`;
}

/** Completes the title of a node to a sentence: "asks before it starts". */
export function describeQuestion(question: ExpectedQuestion): string {
  switch (question.asks) {
    case "start":
      return "asks before it starts";
    case "address":
      return `asks before it calls ${question.url}`;
    case "input":
      return `asks: ${question.question}`;
    case "unlisted_tools":
      return "may ask for tools that are not on its list";
    case "guarded_tools":
      return question.unlistedOnly
        ? "may ask for guarded tools that are not on its list"
        : "may ask for guarded tools";
  }
}

/** Returns "claude", or "Team reviewers: claude or codex"; undefined without an agent. */
export function describeAgents({ agents }: SimulatedNode): string | undefined {
  if (!agents) return undefined;
  const names = agents.candidates.map(({ agent }) => agent).join(" or ");
  return agents.team === null ? names : `Team ${agents.team}: ${names || "no agents"}`;
}

/** The tools of the agent and the calls of the node; guarded calls are marked. */
export function describeTools({ agents, tools, calls }: SimulatedNode): string | undefined {
  const named = calls.map(({ tool, guarded }) => (guarded ? `${tool} (guarded)` : tool));
  const all = [...tools, ...named];
  if (all.length > 0) return all.join(", ");
  return agents ? "any tool" : undefined;
}

const occasions: Record<SimulatedNode["occasion"], string | undefined> = {
  always: undefined,
  branch: "Only on its branch",
  after_failure: "Only after a failure",
  disabled: "Disabled",
};

/** When the node runs; undefined if it runs in any case. */
export function describeOccasion({ occasion }: SimulatedNode): string | undefined {
  return occasions[occasion];
}

/** Returns "12 s, $0.30", by what is known. */
export function describeEstimate({ estimate }: SimulatedNode): string | undefined {
  const { ms, usd, source } = estimate;
  const parts = [ms === null ? "" : formatElapsed(ms), usd === null ? "" : formatCost(usd)];
  const known = parts.filter(Boolean).join(", ");
  if (!known) return undefined;
  return source === "agent" ? `${known} by its agent's other work` : known;
}

/** The agents that are missing on this machine, by name. */
export function missingAgents({ nodes }: Simulation): string[] {
  const all = nodes.flatMap(({ agents }) => agents?.candidates ?? []);
  return [...new Set(all.filter(({ missing }) => missing).map(({ agent }) => agent))];
}
