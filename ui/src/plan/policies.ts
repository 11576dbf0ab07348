import type { AfterCrash, Node, NodeId } from "@/api/bindings";
import { formatDuration } from "@/components/duration";
import { formatCount } from "@/components/formatCount";
import type { AttemptTimeouts } from "./runDefaults";
import { ruleLabels } from "./startRule";

/** Texts for the rules under which a node runs. Pure. */

/** What happens to the run after the last failed attempt; `node` continues at another node. */
export type FailureChoice = "abort" | "skip" | "node";

export const failureLabels: Record<FailureChoice, string> = {
  abort: "End the run",
  skip: "Continue without it",
  node: "Continue at another node",
};

export const failureHints: Record<FailureChoice, string> = {
  abort: "Nothing new starts, running nodes finish, and the run fails.",
  skip: "The node counts as skipped; nodes that depend on it start without its handoff.",
  node: "The run continues there; nodes in between are skipped. If that node can no longer start, the run fails.",
};

export function failureChoice({ onFailure }: Pick<Node, "onFailure">): FailureChoice {
  return typeof onFailure === "object" ? "node" : onFailure;
}

export const crashLabels: Record<AfterCrash, string> = {
  ask: "Ask me",
  resume: "Resume its session",
  restart: "Restart clean",
};

export const crashHints: Record<AfterCrash, string> = {
  ask: "How far the lost attempt got is unknown, so the node waits for you.",
  resume: "The agent continues where it left off. A session that can't be resumed is restarted.",
  restart: "The node starts over. In a git directory, files are restored to what they were before.",
};

/** Short labels for the rules of `node` that differ from the defaults. */
export function policyLabels(node: Node, titleOf: (id: NodeId) => string): string[] {
  const { budget } = node;
  return [
    node.triggerRule && `starts when: ${ruleLabels[node.triggerRule].toLowerCase()}`,
    node.maxRetries > 0 && (node.maxRetries === 1 ? "1 retry" : `${node.maxRetries} retries`),
    node.retryExitCodes.length > 0 && `on exit code ${node.retryExitCodes.join(", ")}`,
    node.afterCrash !== "ask" && `after a crash: ${crashLabels[node.afterCrash].toLowerCase()}`,
    node.isolation === "worktree" && "works in its own worktree",
    node.isolation === "shared" && "works in the blueprint's directory",
    node.sandbox === "off" && "runs without a sandbox",
    node.sandbox === "on" && "runs in a sandbox",
    node.timeoutMs !== null && `at most ${formatDuration(node.timeoutMs)}`,
    node.silentAfterMs !== null && `warns after ${formatDuration(node.silentAfterMs)} of silence`,
    node.onSuccess !== null && `then ${titleOf(node.onSuccess)}`,
    node.onFailure === "skip" && "failure is ignored",
    typeof node.onFailure === "object" && `on failure ${titleOf(node.onFailure.node)}`,
    budget.tokens !== null && formatCount(budget.tokens, "token"),
    budget.costUsd !== null && `$${budget.costUsd}`,
    node.locks?.length && `locks ${node.locks.join(", ")}`,
    node.priority !== 5 && `priority ${node.priority}`,
  ].filter((words): words is string => typeof words === "string");
}

/** The time limit of an attempt of a node that sets none. */
export function defaultTimeout({ kind }: Node, { agents, commands }: AttemptTimeouts): string {
  switch (kind.kind) {
    case "agent":
    case "llm_decision":
      return formatDuration(agents);
    case "command":
    case "tool_call":
    case "parallel":
    case "condition":
    case "note":
      return formatDuration(commands);
    case "loop":
      return "plan" in kind.body ? "No limit" : formatDuration(kind.maxIterations * commands);
    case "user_input":
    case "sub_plan":
      return "No limit";
  }
}

/** Reports whether an agent works on the node, so that its session can be resumed. */
export function hasSession({ kind }: Node): boolean {
  return kind.kind === "agent" || kind.kind === "llm_decision";
}

/** Parses exit codes such as "1, 75"; undefined for invalid text. */
export function parseExitCodes(text: string): number[] | undefined {
  const words = text.split(/[\s,;]+/).filter(Boolean);
  if (!words.every((word) => /^-?\d{1,10}$/.test(word))) return undefined;
  const codes = [...new Set(words.map(Number))];
  return codes.every((code) => Math.abs(code) <= 2_147_483_647) ? codes : undefined;
}

/** Parses a token count such as "200k", "1.5M" or "200,000"; undefined for invalid text. */
export function parseTokens(text: string): number | undefined {
  const match = /^([\d.,\s]*\d)\s*([km])?$/i.exec(text.trim());
  if (!match) return undefined;
  const unit = { k: 1e3, m: 1e6 }[match[2]?.toLowerCase() ?? ""] ?? 1;
  const digits = (match[1] ?? "").replace(unit === 1 ? /[.,\s]/g : /[,\s]/g, "");
  const tokens = Math.round(Number(digits) * unit);
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}

/** Parses dollars such as "5" or "$2.50"; undefined for invalid text. */
export function parseDollars(text: string): number | undefined {
  const match = /^\$?\s*(\d+(?:[.,]\d{1,6})?)$/.exec(text.trim());
  const dollars = Number((match?.[1] ?? "").replace(",", "."));
  return match && dollars > 0 ? dollars : undefined;
}
