import { MonitorCheck } from "lucide-react";
import type { ReactElement } from "react";
import type { TemplateRow } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { countRunnable } from "@/plan/nodeCounts";
import { PlanThumbnail } from "@/plan/PlanThumbnail";

/** One template to choose from, with a thumbnail of its graph. */
export function TemplateCard({
  template: { id, title, description, runsAnywhere, plan },
  chosen,
  onChoose,
}: {
  template: TemplateRow;
  chosen: boolean;
  onChoose: () => void;
}): ReactElement {
  return (
    <label className="flex cursor-default flex-col overflow-hidden rounded-card border transition-colors hover:border-line-strong has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-focus">
      <input
        type="radio"
        name="template"
        value={id}
        checked={chosen}
        onChange={onChoose}
        className="sr-only"
      />
      <span className="block h-24 border-b bg-canvas">
        <PlanThumbnail plan={plan} />
      </span>
      <span className="flex flex-1 flex-col gap-1 px-3 py-2.5">
        <span className="break-words font-medium">{title}</span>
        <span className="line-clamp-3 break-words text-12 text-muted">{description}</span>
        <span className="mt-auto flex items-center gap-1 pt-1 text-12 text-faint">
          {formatCount(countRunnable(plan.nodes), "node")}
          {runsAnywhere && (
            <>
              {" · "}
              <MonitorCheck className="size-3.5 text-state-done" aria-hidden="true" />
              Runs on any machine
            </>
          )}
        </span>
      </span>
    </label>
  );
}
