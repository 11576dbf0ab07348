import { type PointerEvent, type ReactElement, useMemo, useRef, useState } from "react";
import { classes } from "@/components/classes";
import { formatBytes } from "@/components/formatBytes";
import { usePointerDrag } from "@/components/pointerDrag";
import type { OutputReader, OutputState } from "./OutputReader";
import { positionAt, thumbPlace } from "./scrollbarGeometry";
import { marksHeight, marksPath } from "./scrollbarMarks";

export interface OutputScrollbarProps {
  /** The id of what it scrolls. */
  controls: string;
  reader: OutputReader;
  state: OutputState;
  hits: readonly { row: number }[];
  errors: readonly number[];
}

/**
 * The scroll bar of an output. It stands for bytes, because the number of rows is unknown, and
 * shows where matches and errors are. The keys of the rows do the same without a pointer.
 */
export function OutputScrollbar(props: OutputScrollbarProps): ReactElement {
  const { controls, reader, state, hits, errors } = props;
  const track = useRef<HTMLDivElement>(null);
  const startDrag = usePointerDrag();
  /** Where the thumb is dragged to, as share of the track. */
  const [dragged, setDragged] = useState<number>();
  const place = thumbPlace(state, track.current?.clientHeight ?? 0);
  const top = Math.min(dragged ?? place.top, 1 - place.height);
  const percent = Math.round((place.height >= 1 ? 0 : place.top / (1 - place.height)) * 100);

  function scrollTo(share: number) {
    const position = positionAt(share, place, state.size);
    if (position <= 0) reader.toStart();
    else if (position >= state.size) reader.toEnd();
    else void reader.toPosition(position, "top");
  }

  function onPointerDown(event: PointerEvent) {
    const box = track.current?.getBoundingClientRect();
    if (!box || event.button !== 0 || box.height === 0) return;
    event.preventDefault();
    const shareOf = (y: number) => (y - box.top) / box.height;
    const pressed = shareOf(event.clientY);
    const isOnThumb = pressed >= place.top && pressed <= place.top + place.height;
    const grip = isOnThumb ? pressed - place.top : place.height / 2;
    const moveTo = (y: number) => {
      const share = Math.max(0, Math.min(1 - place.height, shareOf(y) - grip));
      setDragged(share);
      scrollTo(share);
    };
    if (!isOnThumb) moveTo(event.clientY);
    startDrag({
      move: (to) => moveTo(to.clientY),
      drop: () => setDragged(undefined),
      cancel: () => setDragged(undefined),
    });
  }

  return (
    <div
      ref={track}
      role="scrollbar"
      aria-label="Position in the output"
      aria-controls={controls}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={state.size}
      aria-valuenow={state.atEnd ? state.size : (state.visible?.first ?? 0)}
      aria-valuetext={`${percent}% of ${formatBytes(state.size)}`}
      tabIndex={-1}
      onPointerDown={onPointerDown}
      className="group relative w-3.5 shrink-0 touch-none border-l bg-surface"
    >
      <Marks hits={hits} errors={errors} size={state.size} />
      {place.height < 1 && (
        <div
          data-thumb=""
          style={{ top: `${top * 100}%`, height: `${place.height * 100}%` }}
          className={classes(
            "absolute inset-x-0.5 rounded-full border border-canvas bg-line-strong opacity-70 group-hover:opacity-100",
            dragged !== undefined && "opacity-100",
          )}
        />
      )}
    </div>
  );
}

function Marks({
  hits,
  errors,
  size,
}: Pick<OutputScrollbarProps, "hits" | "errors"> & { size: number }): ReactElement {
  const matches = useMemo(
    () =>
      marksPath(
        hits.map(({ row }) => row),
        size,
      ),
    [hits, size],
  );
  const failures = useMemo(() => marksPath(errors, size), [errors, size]);
  const line = { fill: "none", strokeWidth: 2, vectorEffect: "non-scaling-stroke" } as const;
  return (
    <svg
      viewBox={`0 0 1 ${marksHeight}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 size-full"
    >
      <path data-marks="matches" d={matches} {...line} className="stroke-accent" />
      <path data-marks="errors" d={failures} {...line} className="stroke-state-failed" />
    </svg>
  );
}
