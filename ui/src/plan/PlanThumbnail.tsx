import { type ReactElement, useMemo } from "react";
import type { Plan } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { createThumbnail, thumbnailNodeSize } from "./thumbnailData";

const margin = 24;

/** A small, static picture of a plan's graph. */
export function PlanThumbnail({ plan }: { plan: Plan }): ReactElement {
  const { width, height, nodes, edges } = useMemo(() => createThumbnail(plan), [plan]);
  return (
    <svg
      viewBox={`${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`}
      className="h-full w-full"
      role="img"
      aria-label={`Graph of ${formatCount(nodes.length, "node")}`}
    >
      {edges.map(({ path, soft }) => (
        <path
          key={path}
          d={path}
          fill="none"
          className="stroke-line-strong"
          strokeWidth="5"
          strokeDasharray={soft ? "16 12" : undefined}
        />
      ))}
      {nodes.map(({ id, x, y, isAgent }) => (
        <g key={id} transform={`translate(${x} ${y})`}>
          <rect
            {...thumbnailNodeSize}
            rx="14"
            strokeWidth="4"
            className={
              isAgent ? "fill-accent-tint stroke-accent" : "fill-surface stroke-line-strong"
            }
          />
          <rect
            x="24"
            y="27"
            width="110"
            height="10"
            rx="5"
            className={isAgent ? "fill-accent" : "fill-faint"}
            opacity="0.5"
          />
        </g>
      ))}
    </svg>
  );
}
