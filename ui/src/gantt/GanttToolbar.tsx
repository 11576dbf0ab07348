import { Maximize, Minus, Plus, Route } from "lucide-react";
import type { ReactElement } from "react";
import type { PlanTimingView } from "@/api/bindings";
import { ToolButton } from "@/commands/ToolButton";
import { formatElapsed } from "@/components/duration";
import { formatCount, formatNumber } from "@/components/formatCount";
import { SegmentedControl } from "@/components/SegmentedControl";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import type { RowOrder } from "./ganttRows";

export interface GanttToolbarProps {
  order: RowOrder;
  onOrder: (order: RowOrder) => void;
  onZoomIn: () => void;
  onZoomOut: () => void;
  onAll: () => void;
  /** The peak number of parallel nodes. */
  most: number;
  limit: number | undefined;
  pace: PlanTimingView | undefined;
}

/** The order of the rows, the zoom, and a summary. */
export function GanttToolbar(props: GanttToolbarProps): ReactElement {
  const { page } = useBlueprint();
  const critical = usePage((state) => state.critical);
  return (
    <div className="flex h-9 shrink-0 items-center gap-2 border-b px-4">
      <SegmentedControl<RowOrder>
        label="Row order"
        options={[
          { id: "start", label: "Start time" },
          { id: "plan", label: "Blueprint order" },
        ]}
        value={props.order}
        onChange={props.onOrder}
      />
      <ToolButton
        command="mark_critical"
        label="Mark the critical path"
        icon={<Route />}
        pressed={critical}
        onClick={() => page.setState({ critical: !critical })}
      />
      <p title={ganttSummary(props)} className="min-w-0 truncate text-12 text-muted tabular-nums">
        {ganttSummary(props)}
      </p>
      <div role="toolbar" aria-label="Zoom" className="ml-auto flex">
        <ToolButton
          command="zoom_out"
          label="Zoom out"
          icon={<Minus />}
          onClick={props.onZoomOut}
        />
        <ToolButton command="zoom_in" label="Zoom in" icon={<Plus />} onClick={props.onZoomIn} />
        <ToolButton
          command="fit"
          label="Show the whole run"
          icon={<Maximize />}
          onClick={props.onAll}
        />
      </div>
    </div>
  );
}

/** For example "Peak parallelism 3 (limit 4, possible 8) · critical path 12 s over 4 nodes". */
export function ganttSummary({
  most,
  limit,
  pace,
}: Pick<GanttToolbarProps, "most" | "limit" | "pace">) {
  const bounds = [
    limit !== undefined && `limit ${limit}`,
    pace && `possible ${formatNumber(pace.widest.length)}`,
  ].filter(Boolean);
  const path =
    pace && pace.critical.length > 0
      ? ` · critical path ${formatElapsed(pace.lengthMs)} over ${formatCount(pace.critical.length, "node")}`
      : "";
  return `Peak parallelism ${most}${bounds.length > 0 ? ` (${bounds.join(", ")})` : ""}${path}`;
}
