import type { ReactElement } from "react";
import { formatCount } from "./formatCount";
import { formatCost, formatTokens } from "./formatUsage";

/** An abbreviated number of tokens, with the exact number on hover. */
export function TokenCount({ tokens }: { tokens: number | null }): ReactElement {
  return (
    <span
      title={tokens === null ? "Not reported by the agent" : formatCount(tokens, "token")}
      className={tokens === null ? "text-faint" : "whitespace-nowrap tabular-nums"}
    >
      {formatTokens(tokens)}
    </span>
  );
}

/** A cost in US dollars, with the exact amount on hover. */
export function Cost({ dollars }: { dollars: number | null }): ReactElement {
  return (
    <span
      title={dollars === null ? "Not reported by the agent" : `$${dollars}`}
      className={dollars === null ? "text-faint" : "whitespace-nowrap tabular-nums"}
    >
      {formatCost(dollars)}
    </span>
  );
}
