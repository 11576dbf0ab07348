import type { ReactElement } from "react";
import type { NodeStatus } from "@/api/bindings";
import { classes } from "./classes";
import { stateFill } from "./nodeState";
import { describeProgress, progressSegments, type Segment } from "./progress";

/** A thin progress bar of a blueprint: the states of its nodes, in order. */
export function ProgressSegments({
  states,
  label = describeProgress(states),
}: {
  states: readonly NodeStatus[];
  /** Describes the bar, when `states` is only a sample. */
  label?: string;
}): ReactElement {
  const segments = progressSegments(states);
  return (
    <div
      role="img"
      aria-label={label}
      title={label}
      className={classes(
        "flex h-1.5 w-full min-w-8 overflow-hidden rounded-full",
        segments.length <= 40 && "gap-px",
        segments.length === 0 && "bg-line",
      )}
    >
      {segments.map((segment, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a segment is identified by its position
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
        // The color of a failure at half height: the run continued without the node.
        state === "failed_skipped" ? "mt-auto h-1/2 bg-state-failed" : stateFill[state],
        untouched && "opacity-30",
      )}
    />
  );
}
