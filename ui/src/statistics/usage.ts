import type { Tokens, UsageTotals } from "@/api/bindings";
import { formatCost, formatTokens } from "@/components/formatUsage";

/** No sessions and no usage. */
export const emptyUsage: UsageTotals = {
  sessions: 0,
  tokens: null,
  withoutTokens: 0,
  usd: null,
  withoutUsd: 0,
};

/** Adds usage. Values that neither side reported stay unknown. */
export function addUsage(one: UsageTotals, other: UsageTotals): UsageTotals {
  return {
    sessions: one.sessions + other.sessions,
    tokens: addTokens(one.tokens, other.tokens),
    withoutTokens: one.withoutTokens + other.withoutTokens,
    usd: one.usd === null ? other.usd : one.usd + (other.usd ?? 0),
    withoutUsd: one.withoutUsd + other.withoutUsd,
  };
}

function addTokens(one: Tokens | null, other: Tokens | null): Tokens | null {
  if (one === null || other === null) return one ?? other;
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  };
}

/** Returns the sum of all tokens, including cached ones. */
export function totalTokens(tokens: Tokens | null): number | null {
  if (tokens === null) return null;
  return tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
}

/** Returns "2 of 5 sessions not reported", or `undefined` if all were reported. */
export function describeUnreported(unreported: number, sessions: number): string | undefined {
  if (unreported === 0) return undefined;
  const whole = sessions === 1 ? "session" : "sessions";
  return `${unreported} of ${sessions} ${whole} not reported`;
}

/** Formats tokens by kind: "1.2k input, 300 output, 9.0k cache read, 0 cache write". */
export function formatTokenBreakdown({ input, output, cacheRead, cacheWrite }: Tokens): string {
  const [read, written, cached, stored] = [input, output, cacheRead, cacheWrite].map(formatTokens);
  return `${read} input, ${written} output, ${cached} cache read, ${stored} cache write`;
}

/**
 * Formats a cost for a table: "$1.20", "$1.20+" if partly unreported, "unknown", or "" without
 * sessions.
 */
export function formatCostCell(used: UsageTotals): string {
  return cell(used, used.usd === null ? null : formatCost(used.usd), used.withoutUsd);
}

/** Formats tokens for a table, like `formatCostCell`. */
export function formatTokensCell(used: UsageTotals): string {
  const total = totalTokens(used.tokens);
  return cell(used, total === null ? null : formatTokens(total), used.withoutTokens);
}

function cell({ sessions }: UsageTotals, reported: string | null, unreported: number): string {
  if (sessions === 0) return "";
  if (reported === null) return "unknown";
  return unreported === 0 ? reported : `${reported}+`;
}
