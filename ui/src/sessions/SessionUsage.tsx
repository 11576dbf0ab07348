import type { ReactElement } from "react";
import type { TranscriptRow } from "@/api/bindings";
import { formatCost, formatTokens } from "@/components/formatUsage";
import { totalTokens } from "./sessionText";

/** All tokens of a session, on hover by their kind. What no record tells is "unknown". */
export function SessionTokens({ row }: { row: TranscriptRow }): ReactElement {
  const { usage } = row;
  const tokens = totalTokens(usage);
  const kinds = [
    `${formatTokens(usage.inputTokens)} read`,
    `${formatTokens(usage.cacheReadTokens)} from cache`,
    `${formatTokens(usage.cacheWriteTokens)} into cache`,
    `${formatTokens(usage.outputTokens)} written`,
  ];
  return (
    <span
      title={tokens === null ? "Its records do not say" : kinds.join(", ")}
      className={tokens === null ? "text-faint" : "tabular-nums"}
    >
      {formatTokens(tokens)}
    </span>
  );
}

/** What a session cost. A price that was computed from a table, and not told by the agent, says so. */
export function SessionCost({ row }: { row: TranscriptRow }): ReactElement {
  const { usd } = row.usage;
  if (usd === null) {
    return (
      <span title="Neither its records nor the table of prices say" className="text-faint">
        unknown
      </span>
    );
  }
  const words = formatCost(usd);
  if (!row.usdIsEstimate) return <span title={`$${usd}, as the agent says`}>{words}</span>;
  return (
    <span title={`About $${usd.toFixed(4)}, computed from tokens and list prices`}>
      <span className="sr-only">about </span>
      <span aria-hidden="true">≈ </span>
      {words}
    </span>
  );
}
