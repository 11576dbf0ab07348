import { ArrowUpRight } from "lucide-react";
import type { ReactElement } from "react";
import type { ChildRun } from "@/api/bindings";
import { ButtonLink } from "@/components/ButtonLink";
import { RunStateLabel } from "@/components/RunStateLabel";
import { usePlanTitles } from "@/plan/usePlanTitles";
import { paths } from "@/shell/paths";

/**
 * The runs of nested blueprints that a node started, newest first. A loop has one per iteration.
 */
export function ChildRuns({ runs }: { runs: readonly ChildRun[] }): ReactElement {
  const titles = usePlanTitles(runs.length > 0);
  return (
    <section aria-label="Runs inside this node" className="shrink-0 border-b px-4 py-2">
      <ul className="flex max-h-40 flex-col gap-1 overflow-auto">
        {runs.toReversed().map(({ run, plan, state }, at) => (
          <li key={run} className="flex items-center gap-2">
            <RunStateLabel state={state.state} />
            <span dir="auto" className="min-w-0 flex-1 truncate text-12 text-muted">
              {titles.get(plan) ?? "Deleted blueprint"}
              {runs.length > 1 && ` · ${runs.length - at}`}
            </span>
            <ButtonLink
              size="small"
              to={paths.blueprintAt(plan, { run })}
              aria-label={runs.length > 1 ? `Open run ${runs.length - at}` : "Open run"}
            >
              <ArrowUpRight />
              Open run
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
