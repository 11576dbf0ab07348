import { ArrowUpRight } from "lucide-react";
import { type ReactElement, useEffect, useRef } from "react";
import type { PlanId, PlanSummary } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { Combobox } from "@/components/Combobox";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { findPlanByName } from "@/plan/subPlans";
import { paths } from "@/shell/paths";

/** Chooses the blueprint that runs when a run of this one has failed. */
export function ErrorHandlerField(): ReactElement {
  const own = useEditor((state) => state.plan.id);
  const value = useEditor((state) => state.plan.settings.onFailure ?? "");
  const edit = useEditor((state) => state.edit);
  const plans = useOperation("plans_list", {});
  const others = (plans.data ?? []).filter(({ id }) => id !== own);
  const chosen = findPlanByName(others, value);
  const set = (onFailure: string | null) =>
    edit("Change error handler", (before) => ({
      ...before,
      settings: { ...before.settings, onFailure },
    }));

  const { page } = useBlueprint();
  const isChoosing = usePage((state) => state.choosingErrorHandler);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isChoosing) return;
    field.current?.querySelector<HTMLElement>("[role=combobox]")?.focus();
    page.setState({ choosingErrorHandler: false });
  }, [isChoosing, page]);

  return (
    <div ref={field} className="flex flex-col gap-1.5">
      <Combobox
        label="When a run fails, run"
        value={chosen ? [chosen.id] : []}
        placeholder={value.trim() || "None"}
        options={others.map((plan) => ({
          id: plan.id,
          label: displayTitle(plan.title),
          ...(isAmbiguous(others, plan) && { note: plan.id.slice(0, 8) }),
        }))}
        onChange={([id]) => id !== undefined && set(id)}
        error={plans.isSuccess ? handlerError(value, own, chosen) : undefined}
        hint="Its newest approved version runs once for each failed run, after retries and replans. Its first nodes receive what failed."
      />
      {chosen && <ApprovalWarning plan={chosen.id} />}
      {value !== "" && (
        <span className="flex gap-1.5 self-start">
          {chosen && (
            <ButtonLink size="small" to={paths.blueprint(chosen.id)}>
              <ArrowUpRight />
              Open error handler
            </ButtonLink>
          )}
          <Button size="small" onClick={() => set(null)}>
            Remove error handler
          </Button>
        </span>
      )}
    </div>
  );
}

/** Says that the chosen blueprint won't run, because a person has approved none of its versions. */
function ApprovalWarning({ plan }: { plan: PlanId }): ReactElement | null {
  const { data } = useOperation("plan_get", { plan });
  if (data?.approvedVersion !== null) return null;
  return (
    <p role="status" className="text-12 text-state-waiting">
      This blueprint isn't approved, so it won't run after a failure. Open it and approve it.
    </p>
  );
}

function isAmbiguous(plans: readonly PlanSummary[], plan: PlanSummary): boolean {
  return plans.some(({ id, title }) => id !== plan.id && title === plan.title);
}

function handlerError(
  value: string,
  own: string,
  chosen: PlanSummary | undefined,
): string | undefined {
  if (chosen || value.trim() === "") return undefined;
  if (value.trim() === own) return "A blueprint can't handle its own failures. Choose another one.";
  return `There is no blueprint named “${value}”. Choose another one, or import it.`;
}
