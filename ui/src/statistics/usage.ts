import type { Tokens, UsageTotals } from "@/api/bindings";
import { formatCost, formatTokens } from "@/components/formatUsage";

/** What nobody used. */
export const emptyUsage: UsageTotals = {
  sessions: 0,
  tokens: null,
  withoutTokens: 0,
  usd: null,
  withoutUsd: 0,
};

/** Both together. What neither told stays unknown. */
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

/** All tokens, the cached ones included. */
export function totalTokens(tokens: Tokens | null): number | null {
  if (tokens === null) return null;
  return tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
}

/** "2 of 5 sessions not reported"; nothing when all did. */
export function describeUnreported(untold: number, sessions: number): string | undefined {
  if (untold === 0) return undefined;
  const whole = sessions === 1 ? "session" : "sessions";
  return `${untold} of ${sessions} ${whole} not reported`;
}

/** Where tokens went: "1.2k in, 300 out, 9.0k from the cache, 0 into it". */
export function formatTokenBreakdown({ input, output, cacheRead, cacheWrite }: Tokens): string {
  const [read, written, cached, stored] = [input, output, cacheRead, cacheWrite].map(formatTokens);
  return `${read} in, ${written} out, ${cached} from the cache, ${stored} into it`;
}

/** A cost in a table: "$1.20", "$1.20 or more" when some did not tell, "unknown" when none did, nothing without agents. */
export function formatCostCell(used: UsageTotals): string {
  return cell(used, used.usd === null ? null : formatCost(used.usd), used.withoutUsd);
}

/** Tokens in a table, likewise. */
export function formatTokensCell(used: UsageTotals): string {
  const total = totalTokens(used.tokens);
  return cell(used, total === null ? null : formatTokens(total), used.withoutTokens);
}

function cell({ sessions }: UsageTotals, told: string | null, untold: number): string {
  if (sessions === 0) return "";
  if (told === null) return "unknown";
  return untold === 0 ? told : `${told}+`;
}
