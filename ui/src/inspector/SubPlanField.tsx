import { ArrowUpRight } from "lucide-react";
import type { ReactElement } from "react";
import type { Node, PlanSummary } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ButtonLink } from "@/components/ButtonLink";
import { Combobox } from "@/components/Combobox";
import { useEditor } from "@/plan/editor";
import { findPlanByName } from "@/plan/subPlans";
import { paths } from "@/shell/paths";

export interface SubPlanFieldProps {
  node: Node;
  /** The ID or title of a blueprint. */
  value: string;
  onChange: (subPlanId: string) => void;
  error: string | undefined;
}

/** Chooses the nested blueprint by title, with a link to it. */
export function SubPlanField({ node, value, onChange, error }: SubPlanFieldProps): ReactElement {
  const own = useEditor((editor) => editor.plan.id);
  const plans = useOperation("plans_list", {});
  const others = (plans.data ?? []).filter(({ id }) => id !== own);
  const chosen = findPlanByName(others, value);

  return (
    <div className="flex flex-col gap-1.5">
      <Combobox
        label="Blueprint"
        value={chosen ? [chosen.id] : []}
        placeholder={value.trim() || "Choose a blueprint"}
        emptyText="No matches"
        options={others.map((plan) => ({
          id: plan.id,
          label: plan.title.trim() || "Untitled",
          ...(sameTitle(others, plan) && { note: plan.id.slice(0, 8) }),
        }))}
        onChange={([id]) => id !== undefined && onChange(id)}
        error={error ?? (plans.isSuccess ? subPlanError(value, own, chosen) : undefined)}
        hint="It gets its own run. This node succeeds if that run does."
      />
      {chosen && (
        <span className="self-start">
          <ButtonLink
            size="small"
            to={paths.blueprintFrom(chosen.id, { plan: own, node: node.id })}
          >
            <ArrowUpRight />
            Open blueprint
          </ButtonLink>
        </span>
      )}
    </div>
  );
}

function sameTitle(plans: readonly PlanSummary[], plan: PlanSummary): boolean {
  return plans.some(({ id, title }) => id !== plan.id && title === plan.title);
}

function subPlanError(
  value: string,
  own: string,
  chosen: PlanSummary | undefined,
): string | undefined {
  if (chosen) return undefined;
  if (value.trim() === "") return "Choose the blueprint to run.";
  if (value === own) return "A blueprint can't run itself. Choose another one.";
  return `There is no blueprint named “${value}”. Choose another one, or import it.`;
}
