import { Ellipsis } from "lucide-react";
import { memo, type ReactElement } from "react";
import { Link } from "react-router";
import type { PlanSummary } from "@/api/bindings";
import { classes } from "@/components/classes";
import { IconButton } from "@/components/IconButton";
import { Menu } from "@/components/Menu";
import { shortenPath } from "@/components/shortenPath";
import { TableCell, TableRow } from "@/components/Table";
import { TagRow } from "@/components/TagRow";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import { LastOpenedIcon } from "./LastOpenedIcon";
import { useListContext } from "./listContext";
import { mediumWidthOnly, notNarrow } from "./planColumns";
import { planMenu } from "./planMenu";
import { isUnreadable } from "./planStatus";
import { ReviewLabel } from "./ReviewLabel";
import { RunProgress } from "./RunProgress";
import { RunStatusLabel } from "./RunStatusLabel";
import { RunTime } from "./RunTime";
import { StarButton } from "./StarButton";

export interface BlueprintRowProps {
  plan: PlanSummary;
  /** The row's index in the list, from 0. */
  at: number;
  /** The keyboard cursor is on this row. */
  current: boolean;
  onPoint: (id: string) => void;
}

/** One blueprint as a table row. */
export const BlueprintRow = memo(function BlueprintRow({
  plan,
  at,
  current,
  onPoint,
}: BlueprintRowProps): ReactElement {
  const { actions, waitingRuns, starred, home } = useListContext();
  const { lastRun, cwd } = plan;
  const title = displayTitle(plan.title);
  const readable = !isUnreadable(plan);
  return (
    <TableRow
      interactive
      id={`blueprint-${plan.id}`}
      aria-rowindex={at + 2}
      aria-selected={current}
      onPointerDown={() => onPoint(plan.id)}
      onContextMenu={() => onPoint(plan.id)}
      onClick={() => actions.open(plan)}
    >
      <TableCell className="overflow-visible pr-0">
        <StarButton plan={plan} />
      </TableCell>
      <TableCell title={title}>
        <span className="flex items-center gap-2">
          <Link
            to={paths.blueprint(plan.id)}
            tabIndex={-1}
            draggable={false}
            dir="auto"
            onClick={(event) => event.stopPropagation()}
            className="min-w-0 truncate font-medium"
          >
            {title}
          </Link>
          <LastOpenedIcon plan={plan.id} />
        </span>
      </TableCell>
      <TableCell className={mediumWidthOnly}>
        {readable && <ReviewLabel review={plan.review} />}
      </TableCell>
      <TableCell>
        <RunStatusLabel
          plan={plan}
          waitingForPerson={lastRun !== null && waitingRuns.has(lastRun.id)}
          onResume={() => lastRun && void actions.resume(lastRun)}
          onOpenAt={(state) => void actions.openAt(plan, state)}
        />
      </TableCell>
      <TableCell className={notNarrow}>
        {readable && (
          <RunProgress plan={plan} onOpen={(state) => void actions.openAt(plan, state)} />
        )}
      </TableCell>
      <TableCell className={mediumWidthOnly}>{lastRun && <RunTime run={lastRun} />}</TableCell>
      <TableCell
        title={cwd ?? undefined}
        className={classes(mediumWidthOnly, "text-12 text-muted")}
      >
        {cwd !== null
          ? shortenPath(cwd, home, 20)
          : readable && <span className="text-faint">None yet</span>}
      </TableCell>
      <TableCell className="hidden @min-[76rem]:table-cell">
        <TagRow tags={plan.tags} />
      </TableCell>
      <TableCell className="overflow-visible px-0 text-right">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: only stops the click from opening the row */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the row's menu has its own key */}
        <span onClick={(event) => event.stopPropagation()}>
          <Menu entries={planMenu(plan, actions, starred.has(plan.id))} align="end">
            <IconButton
              label="More actions"
              size="small"
              tabIndex={-1}
              icon={<Ellipsis />}
              className="opacity-0 focus-visible:opacity-100 group-hover:opacity-100 group-aria-selected:opacity-100 data-[state=open]:opacity-100"
            />
          </Menu>
        </span>
      </TableCell>
    </TableRow>
  );
});
