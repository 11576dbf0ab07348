import type { ReactElement } from "react";
import type { NodeStatus } from "@/api/bindings";
import { classes } from "./classes";
import { stateFill } from "./nodeState";
import {
  countStates,
  describeProgress,
  progressSegments,
  type Segment,
  showStateLabel,
} from "./progress";

export interface ProgressSegmentsProps {
  states: readonly NodeStatus[];
  /** Describes the bar, when `states` is only a sample. */
  label?: string;
  /** Makes each segment a button that leads to the nodes in its state. */
  onOpen?: ((state: NodeStatus) => void) | undefined;
}

/** A thin progress bar of a blueprint: the states of its nodes, in order. */
export function ProgressSegments({
  states,
  label = describeProgress(states),
  onOpen,
}: ProgressSegmentsProps): ReactElement {
  const segments = progressSegments(states);
  const look = classes(
    "flex h-1.5 w-full min-w-8 overflow-hidden rounded-full",
    segments.length <= 40 && "gap-px",
    segments.length === 0 && "bg-line",
  );
  if (onOpen && segments.length > 0)
    return (
      <fieldset aria-label={label} className="flex w-full min-w-8">
        <SegmentButtons {...{ states, segments, look, onOpen }} />
      </fieldset>
    );
  return (
    <div role="img" aria-label={label} title={label} className={look}>
      {segments.map((segment, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a segment is identified by its position
        <SegmentBar key={at} segment={segment} />
      ))}
    </div>
  );
}

interface SegmentButtonsProps {
  states: readonly NodeStatus[];
  segments: readonly Segment[];
  look: string;
  onOpen: (state: NodeStatus) => void;
}

/**
 * The segments as buttons, higher than they look. Only the first one of each state is announced: a
 * bar may have 120 segments, and those of one state do the same. They are too narrow for tab stops;
 * a command leads to the same nodes.
 */
function SegmentButtons(props: SegmentButtonsProps): ReactElement {
  const { states, segments, look, onOpen } = props;
  const counts = countStates(states);
  return (
    <div className={classes(look, "h-4 rounded-none")}>
      {segments.map((segment, at) => {
        const { state } = segment;
        const isFirst = segments.findIndex((other) => other.state === state) === at;
        const words = showStateLabel(state, counts[state]);
        return (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a segment is identified by its position
            key={at}
            type="button"
            tabIndex={-1}
            aria-hidden={!isFirst || undefined}
            aria-label={words}
            title={words}
            style={{ flexGrow: segment.nodes }}
            onClick={(event) => {
              event.stopPropagation();
              onOpen(state);
            }}
            className="flex min-w-px basis-0 items-center hover:opacity-70"
          >
            <span className="flex h-1.5 w-full">
              <SegmentBar segment={segment} />
            </span>
          </button>
        );
      })}
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
        "min-w-px basis-0 forced-color-adjust-none",
        // The color of a failure at half height: the run continued without the node.
        state === "failed_skipped" ? "mt-auto h-1/2 bg-state-failed" : stateFill[state],
        untouched && "opacity-30",
      )}
    />
  );
}
