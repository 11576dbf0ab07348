import { type ReactElement, useMemo } from "react";
import { classes } from "@/components/classes";
import { pageSize } from "./entryPages";
import type { FeedState, SessionFeed } from "./SessionFeed";

export interface MinimapProps {
  feed: SessionFeed;
  state: FeedState;
  /** The range of entries on screen. */
  seen: { from: number; to: number };
  onGo: (seq: number) => void;
}

const places = 240;

/**
 * The whole session as a strip: loaded pages, errors (full bars), questions (half bars) and the
 * visible range. Shows loaded entries only. Hidden from screen readers, because the timeline's keys
 * and buttons do the same.
 */
export function Minimap({ feed, state, seen, onGo }: MinimapProps): ReactElement {
  const { total } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `state` is new whenever the marks are
  const { marks, stretches } = useMemo(
    () => ({
      marks: feed.marks.onMap(total, places),
      stretches: feed.marks.stretches(total, pageSize),
    }),
    [feed, state],
  );

  return (
    <div
      aria-hidden="true"
      onPointerDown={(event) => {
        const { top, height } = event.currentTarget.getBoundingClientRect();
        const share = (event.clientY - top) / height;
        onGo(Math.min(total - 1, Math.max(0, Math.floor(share * total))));
      }}
      className="relative w-3.5 shrink-0 border-l bg-canvas"
    >
      {stretches.map(({ from, to }) => (
        <div
          key={from}
          style={{ top: `${from * 100}%`, height: `${(to - from) * 100}%` }}
          className="absolute inset-x-0 bg-surface"
        />
      ))}
      <div
        style={{
          top: `${(seen.from / total) * 100}%`,
          height: `max(6px, ${((seen.to - seen.from + 1) / total) * 100}%)`,
        }}
        className="absolute inset-x-0 border-y bg-active"
      />
      {marks.map(({ at, kind }) => (
        <div
          key={`${kind} ${at}`}
          style={{ top: `${at * 100}%` }}
          className={classes(
            "absolute h-0.75 rounded-full",
            kind === "error"
              ? "inset-x-0.5 bg-state-failed"
              : "right-0.5 left-1.5 bg-state-waiting",
          )}
        />
      ))}
    </div>
  );
}
