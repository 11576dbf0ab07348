import type { ReactElement } from "react";
import type { Budget } from "@/api/bindings";
import { DraftField } from "@/components/DraftField";
import { formatNumber } from "@/components/formatCount";
import { parseDollars, parseTokens } from "@/plan/policies";

export interface BudgetFieldsProps {
  budget: Budget;
  onChange: (budget: Budget) => void;
  error: string | undefined;
}

/** Token and cost limits. Empty means no limit. */
export function BudgetFields({ budget, onChange, error }: BudgetFieldsProps): ReactElement {
  const { tokens, costUsd } = budget;
  return (
    <div className="grid grid-cols-2 gap-2">
      <DraftField
        label="Token limit"
        value={tokens === null ? "" : formatNumber(tokens)}
        placeholder="No limit"
        validate={(text) =>
          text.trim() === "" || parseTokens(text) !== undefined
            ? undefined
            : "Enter a number such as “200,000” or “200k”."
        }
        onCommit={(text) => onChange({ ...budget, tokens: parseTokens(text) ?? null })}
        error={error}
      />
      <DraftField
        label="Cost limit"
        value={costUsd === null ? "" : String(costUsd)}
        placeholder="No limit"
        validate={(text) =>
          text.trim() === "" || parseDollars(text) !== undefined
            ? undefined
            : "Enter an amount such as “5” or “2.50”."
        }
        onCommit={(text) => onChange({ ...budget, costUsd: parseDollars(text) ?? null })}
      />
    </div>
  );
}
