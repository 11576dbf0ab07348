import { type KeyboardEvent, type PointerEvent, type ReactElement, useEffect, useRef } from "react";
import { useElementWidth } from "@/components/useElementWidth";
import { momentIndexAt, type StateHistory } from "@/run/stateHistory";
import { EventMarks } from "./EventMarks";
import { useFrameSeek } from "./useFrameSeek";

export interface ScrubberProps {
  stateHistory: StateHistory;
  at: number;
  /** Describes the moment for screen readers. */
  words: string;
  onSeek: (index: number) => void;
  onPlay: () => void;
}

/** How many events Page Up and Page Down skip. */
const largeStep = 10;

/**
 * The timeline of the run with its events as marks: starts and ends at the edges, questions and
 * failures at full height.
 */
export function Scrubber({ stateHistory, at, words, onSeek, onPlay }: ScrubberProps): ReactElement {
  const line = useRef<HTMLDivElement>(null);
  const width = useElementWidth(line);
  const { moments } = stateHistory;
  const [first, last] = [moments[0]?.at ?? 0, moments.at(-1)?.at ?? 0];
  const span = Math.max(1, last - first);
  const place = (((moments[at]?.at ?? first) - first) / span) * 100;

  // Focused first, for moving with the arrow keys.
  useEffect(() => line.current?.focus({ preventScroll: true }), []);
  const seekOncePerFrame = useFrameSeek(onSeek);

  function point({ clientX }: PointerEvent, seek = onSeek) {
    const box = line.current?.getBoundingClientRect();
    if (!box) return;
    const part = Math.min(1, Math.max(0, (clientX - box.left) / box.width));
    seek(momentIndexAt(stateHistory, first + part * span));
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") {
      event.preventDefault();
      onPlay();
      return;
    }
    const steps: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - largeStep,
      PageUp: at + largeStep,
      Home: 0,
      End: moments.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onSeek(Math.min(moments.length - 1, Math.max(0, to)));
  }

  return (
    <div
      ref={line}
      role="slider"
      tabIndex={0}
      aria-label="Replay position"
      aria-valuemin={1}
      aria-valuemax={moments.length}
      aria-valuenow={at + 1}
      aria-valuetext={words}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        point(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) point(event, seekOncePerFrame);
      }}
      className="relative mx-2 h-8 min-w-0 flex-1 cursor-ew-resize touch-none rounded-small"
    >
      <span aria-hidden="true" className="absolute inset-x-0 top-1/2 h-px bg-line-strong" />
      <EventMarks moments={moments} width={width} />
      <span
        aria-hidden="true"
        style={{ left: `${place}%` }}
        className="-translate-x-1/2 pointer-events-none absolute inset-y-0 w-0.5 bg-accent-fg after:absolute after:top-1/2 after:left-1/2 after:size-3 after:-translate-x-1/2 after:-translate-y-1/2 after:rounded-full after:border-2 after:border-surface after:bg-accent-fg"
      />
    </div>
  );
}
