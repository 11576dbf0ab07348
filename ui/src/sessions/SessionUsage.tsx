import type { ReactElement } from "react";
import type { TranscriptRow } from "@/api/bindings";
import { formatCost, formatTokens } from "@/components/formatUsage";
import { totalTokens } from "./sessionText";

/**
 * The tokens of a session; the tooltip breaks them down by kind. "unknown" if no record has them.
 */
export function SessionTokens({ row }: { row: TranscriptRow }): ReactElement {
  const { usage } = row;
  const tokens = totalTokens(usage);
  const kinds = [
    `${formatTokens(usage.inputTokens)} input`,
    `${formatTokens(usage.cacheReadTokens)} cache read`,
    `${formatTokens(usage.cacheWriteTokens)} cache write`,
    `${formatTokens(usage.outputTokens)} output`,
  ];
  return (
    <span
      title={tokens === null ? "Not recorded in this session" : kinds.join(", ")}
      className={tokens === null ? "text-faint" : "tabular-nums"}
    >
      {formatTokens(tokens)}
    </span>
  );
}

/** The cost of a session. Estimates from list prices are marked as such. */
export function SessionCost({ row }: { row: TranscriptRow }): ReactElement {
  const { usd } = row.usage;
  if (usd === null) {
    return (
      <span title="Not recorded, and no list price is known" className="text-faint">
        unknown
      </span>
    );
  }
  const words = formatCost(usd);
  if (!row.usdIsEstimate) return <span title={`$${usd}, reported by the agent`}>{words}</span>;
  return (
    <span title={`About $${usd.toFixed(4)}, estimated from tokens and list prices`}>
      <span className="sr-only">about </span>
      <span aria-hidden="true">≈ </span>
      {words}
    </span>
  );
}
