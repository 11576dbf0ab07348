import { type ReactElement, useMemo } from "react";
import type { GraphThumbnail, PlanSummary } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { classes } from "@/components/classes";
import { type NodeStateName, stateText } from "@/components/nodeState";
import { cardThumbnail, pictureSize, type ThumbnailShape } from "./cardThumbnail";

/**
 * A small picture of a blueprint's graph, with the states of its last run. Only decoration: the
 * card says the same in words, so nothing is shown while it loads or if it can't be loaded.
 */
export function CardThumbnail({ plan }: { plan: PlanSummary }): ReactElement {
  const { data } = useOperation("plan_thumbnail", { plan: plan.id });
  return (
    <div aria-hidden="true" className="h-20 shrink-0 border-b bg-canvas px-3 py-2">
      {data && (data.blocks.length > 0 ? <Picture graph={data} plan={plan} /> : <EmptyPicture />)}
    </div>
  );
}

const viewBox = `0 0 ${pictureSize.width} ${pictureSize.height}`;

function Picture({ graph, plan }: { graph: GraphThumbnail; plan: PlanSummary }): ReactElement {
  const { width, height, shapes, links } = useMemo(() => cardThumbnail(graph, plan), [graph, plan]);
  // Outlines of tiny nodes would touch each other.
  const isOutlined = height >= 4;
  return (
    <svg viewBox={viewBox} className="size-full overflow-visible" aria-hidden="true">
      <path d={links} fill="none" className="stroke-(--edge)" />
      {shapes.map((shape, at) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a shape is identified by its position
          key={at}
          x={shape.x}
          y={shape.y}
          width={width}
          height={height}
          rx={Math.min(2, height / 4)}
          fillOpacity={shape.density && 0.25 + 0.5 * shape.density}
          strokeWidth="0.8"
          data-state={shape.state}
          className={classes("forced-color-adjust-none", look(shape, isOutlined))}
        />
      ))}
    </svg>
  );
}

/** Nodes that a run has not reached look like those of a blueprint without a run. */
const untouched: readonly NodeStateName[] = ["pending", "blocked", "skipped"];

function look({ state, isAgent, density }: ThumbnailShape, isOutlined: boolean): string {
  if (state && !untouched.includes(state)) {
    // What is done steps back behind what needs a look.
    return state === "done" && isOutlined
      ? "fill-state-done-tint stroke-state-done"
      : classes("fill-current", stateText[state]);
  }
  const isAgentWork = isAgent && state === undefined;
  if (density !== undefined || !isOutlined) return isAgentWork ? "fill-accent" : "fill-faint";
  return isAgentWork ? "fill-accent-tint stroke-accent" : "fill-surface stroke-line-strong";
}

/** The outline of a node that isn't there yet. */
function EmptyPicture(): ReactElement {
  const [width, height] = [44, 13];
  return (
    <svg viewBox={viewBox} className="size-full overflow-visible" aria-hidden="true">
      <rect
        x={(pictureSize.width - width) / 2}
        y={(pictureSize.height - height) / 2}
        width={width}
        height={height}
        rx="2"
        fill="none"
        strokeDasharray="4 3"
        className="stroke-line-strong"
      />
    </svg>
  );
}
