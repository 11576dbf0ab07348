import type { ReactElement } from "react";
import type { Usage } from "@/api/bindings";
import { Cost, TokenCount } from "@/components/TokenCount";

/** Tokens and cost in one line. Values that the agent did not report are "unknown", not 0. */
export function UsageLine({
  usage,
  withoutCost = false,
}: {
  usage: Usage;
  /** Omits the cost, for places that show it elsewhere. */
  withoutCost?: boolean;
}): ReactElement {
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-12 text-muted">
      <span>
        Input <TokenCount tokens={usage.inputTokens} />
      </span>
      <span>
        Cache read <TokenCount tokens={usage.cacheReadTokens} />
      </span>
      <span>
        Output <TokenCount tokens={usage.outputTokens} />
      </span>
      {!withoutCost && (
        <span>
          Cost <Cost dollars={usage.usd} />
        </span>
      )}
    </p>
  );
}

/** Returns whether any value is known. Commands use no tokens, so they have none. */
export function isUsageKnown(usage: Usage): boolean {
  return Object.values(usage).some((value) => value !== null);
}
