import type { ReactElement } from "react";
import type { PlanningStatistics } from "@/api/bindings";
import { formatCount, formatNumber } from "@/components/formatCount";
import { rejectionReasonLabels } from "@/components/rejectionReasons";

/** Why people rejected, how often blueprints were replanned, and which tools nodes lacked. */
export function PlanningList({
  planning: { rejections, replans, acceptedReplans, toolGaps },
}: {
  planning: PlanningStatistics;
}): ReactElement {
  return (
    <div className="flex flex-col gap-3 pt-1">
      {replans > 0 && (
        <p>
          {formatCount(replans, "replan")}, {formatNumber(acceptedReplans)} accepted
        </p>
      )}
      {rejections.length > 0 && (
        <CountList
          title="Rejections"
          rows={rejections.map(({ reason, count }) => [
            reason === null ? "No reason" : rejectionReasonLabels[reason],
            count,
          ])}
        />
      )}
      {toolGaps.length > 0 && (
        <CountList
          title="Tools that agents asked for"
          rows={toolGaps.map(({ tool, asked }) => [tool, asked])}
        />
      )}
    </div>
  );
}

/** Whether there is anything to show. */
export function hasPlanning({ rejections, replans, toolGaps }: PlanningStatistics): boolean {
  return rejections.length > 0 || replans > 0 || toolGaps.length > 0;
}

function CountList({ title, rows }: { title: string; rows: [string, number][] }): ReactElement {
  return (
    <div>
      <h3 className="text-12 text-muted">{title}</h3>
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        {rows.map(([name, count]) => (
          <div key={name} className="flex min-w-0 items-baseline gap-1.5">
            <dt title={name} className="max-w-80 truncate">
              {name}
            </dt>
            <dd className="font-medium tabular-nums">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
