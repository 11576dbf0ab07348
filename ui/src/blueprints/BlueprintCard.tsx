import { memo, type ReactElement } from "react";
import { Link } from "react-router";
import type { PlanSummary } from "@/api/bindings";
import { classes } from "@/components/classes";
import { shortenPath } from "@/components/shortenPath";
import { TagRow } from "@/components/TagRow";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import type { BlueprintRowProps } from "./BlueprintRow";
import { CardThumbnail } from "./CardThumbnail";
import { LastOpenedIcon } from "./LastOpenedIcon";
import { useListContext } from "./listContext";
import { isUnreadable } from "./planStatus";
import { ReviewLabel } from "./ReviewLabel";
import { RunProgress } from "./RunProgress";
import { RunStatusLabel } from "./RunStatusLabel";
import { RunTime } from "./RunTime";
import { StarButton } from "./StarButton";

/** One blueprint as a card, with its graph and the first lines of its goal. */
export const BlueprintCard = memo(function BlueprintCard({
  plan,
  current,
  onPoint,
}: Omit<BlueprintRowProps, "at">): ReactElement {
  const { actions, waitingRuns } = useListContext();
  const { lastRun } = plan;
  const title = displayTitle(plan.title);
  const readable = !isUnreadable(plan);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus and names this as its active descendant
    // biome-ignore lint/a11y/useSemanticElements: a card is not a table cell
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
    <div
      role="gridcell"
      id={`blueprint-${plan.id}`}
      aria-selected={current}
      onPointerDown={() => onPoint(plan.id)}
      onContextMenu={() => onPoint(plan.id)}
      onClick={() => actions.open(plan)}
      className="group flex h-full min-w-0 flex-col overflow-hidden rounded-card border bg-surface transition-colors hover:border-line-strong aria-selected:border-accent"
    >
      {readable && <CardThumbnail plan={plan} />}
      <div className="flex min-h-0 flex-1 flex-col gap-1.5 px-3 py-2.5">
        <div className="-mr-1 flex items-center gap-2">
          <Link
            to={paths.blueprint(plan.id)}
            tabIndex={-1}
            draggable={false}
            dir="auto"
            title={title}
            onClick={(event) => event.stopPropagation()}
            className="min-w-0 flex-1 truncate font-medium"
          >
            {title}
          </Link>
          <LastOpenedIcon plan={plan.id} />
          {readable && <ReviewLabel review={plan.review} />}
          <StarButton plan={plan} always />
        </div>
        <p
          dir="auto"
          title={readable ? undefined : plan.damage}
          className={classes(
            "min-h-8 break-words text-12",
            // A damaged blueprint shows nothing else, so the message gets more lines.
            readable ? "line-clamp-2" : "line-clamp-5",
            readable && !plan.description ? "text-faint" : "text-muted",
          )}
        >
          {readable ? plan.description || "No goal yet" : plan.damage}
        </p>
        <div className="mt-auto flex min-h-6 items-center gap-3">
          <RunStatusLabel
            plan={plan}
            waitingForPerson={lastRun !== null && waitingRuns.has(lastRun.id)}
            onResume={() => lastRun && void actions.resume(lastRun)}
            onOpenAt={(state) => void actions.openAt(plan, state)}
          />
          <span className="ml-auto truncate">{lastRun && <RunTime run={lastRun} />}</span>
        </div>
        {readable && (
          <RunProgress plan={plan} onOpen={(state) => void actions.openAt(plan, state)} />
        )}
        {readable && <CardFoot plan={plan} />}
      </div>
    </div>
  );
});

function CardFoot({ plan: { cwd, tags } }: { plan: PlanSummary }): ReactElement {
  const { home } = useListContext();
  return (
    <div className="flex h-5 items-center gap-2 overflow-hidden text-12 text-faint">
      <span className="min-w-16 flex-1 truncate" title={cwd ?? undefined}>
        {cwd === null ? "No directory yet" : shortenPath(cwd, home)}
      </span>
      <TagRow tags={tags} />
    </div>
  );
}
