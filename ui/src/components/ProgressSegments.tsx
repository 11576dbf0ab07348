import type { ReactElement } from "react";
import type { NodeStatus } from "@/api/bindings";
import { classes } from "./classes";
import { stateFill } from "./nodeState";
import { describeProgress, progressSegments, type Segment } from "./progress";

/** A thin picture of a plan: what its nodes are doing, in plan order. */
export function ProgressSegments({
  states,
  label = describeProgress(states),
}: {
  states: readonly NodeStatus[];
  /** What they come to, where `states` are only a picture of more. */
  label?: string;
}): ReactElement {
  const segments = progressSegments(states);
  return (
    <div
      role="img"
      aria-label={label}
      title={label}
      className={classes(
        "flex h-1.5 w-full min-w-16 overflow-hidden rounded-full",
        segments.length <= 40 && "gap-px",
        segments.length === 0 && "bg-line",
      )}
    >
      {segments.map((segment, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a segment is its place in the plan
        <SegmentBar key={at} segment={segment} />
      ))}
    </div>
  );
}

function SegmentBar({ segment: { state, nodes } }: { segment: Segment }): ReactElement {
  const untouched = state === "pending" || state === "blocked" || state === "skipped";
  return (
    <span
      data-state={state}
      style={{ flexGrow: nodes }}
      className={classes(
        "min-w-px basis-0",
        // In the hue of a failure, but lower than one: the run went on without the node.
        state === "failed_skipped" ? "mt-auto h-1/2 bg-state-failed" : stateFill[state],
        untouched && "opacity-30",
      )}
    />
  );
}
