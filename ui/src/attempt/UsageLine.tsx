import type { ReactElement } from "react";
import type { Usage } from "@/api/bindings";
import { Cost, TokenCount } from "@/components/TokenCount";

/** Tokens and cost in a line. What the agent did not say is "unknown", never 0. */
export function UsageLine({
  usage,
  withoutCost = false,
}: {
  usage: Usage;
  /** The cost stands elsewhere. */
  withoutCost?: boolean;
}): ReactElement {
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-12 text-muted">
      <span>
        Read <TokenCount tokens={usage.inputTokens} />
      </span>
      <span>
        From cache <TokenCount tokens={usage.cacheReadTokens} />
      </span>
      <span>
        Wrote <TokenCount tokens={usage.outputTokens} />
      </span>
      {!withoutCost && (
        <span>
          Cost <Cost dollars={usage.usd} />
        </span>
      )}
    </p>
  );
}

/** Whether anything at all is known, so that a command without tokens shows no line of unknowns. */
export function isUsageKnown(usage: Usage): boolean {
  return Object.values(usage).some((value) => value !== null);
}
