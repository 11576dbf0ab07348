import { Maximize, Minus, Plus, Route } from "lucide-react";
import type { ReactElement } from "react";
import type { PaceView } from "@/api/bindings";
import { ToolButton } from "@/commands/ToolButton";
import { formatElapsed } from "@/components/duration";
import { formatCount, formatNumber } from "@/components/formatCount";
import { SegmentedControl } from "@/components/SegmentedControl";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import type { RowOrder } from "./timeRows";

export interface TimesToolsProps {
  order: RowOrder;
  onOrder: (order: RowOrder) => void;
  onZoomIn: () => void;
  onZoomOut: () => void;
  onAll: () => void;
  /** The most nodes that worked at once. */
  most: number;
  limit: number | undefined;
  pace: PaceView | undefined;
}

/** The order of the rows, the zoom, and what the times come to. */
export function TimesTools(props: TimesToolsProps): ReactElement {
  const { page } = useBlueprint();
  const critical = usePage((state) => state.critical);
  return (
    <div className="flex h-9 shrink-0 items-center gap-2 border-b px-4">
      <SegmentedControl<RowOrder>
        label="Order of the rows"
        options={[
          { id: "start", label: "By start" },
          { id: "plan", label: "Plan order" },
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
      <p title={summary(props)} className="min-w-0 truncate text-12 text-muted tabular-nums">
        {summary(props)}
      </p>
      <div role="toolbar" aria-label="Zoom of the times" className="ml-auto flex">
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

/** "At most 3 at once of 4 allowed, 8 possible · critical path 12 s over 4 nodes". */
export function summary({ most, limit, pace }: Pick<TimesToolsProps, "most" | "limit" | "pace">) {
  const bounds = [
    limit !== undefined && `${limit} allowed`,
    pace && `${formatNumber(pace.widest.length)} possible`,
  ].filter(Boolean);
  const path =
    pace && pace.critical.length > 0
      ? ` · critical path ${formatElapsed(pace.lengthMs)} over ${formatCount(pace.critical.length, "node")}`
      : "";
  return `At most ${most} at once${bounds.length > 0 ? ` of ${bounds.join(", ")}` : ""}${path}`;
}
