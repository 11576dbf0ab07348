import type { ReactElement } from "react";

/** The shapes of the states, in a 16 by 16 box, stroked in the current color. */
export type StateShape =
  | "circle"
  | "ring"
  | "hand"
  | "clock"
  | "check"
  | "checkInDots"
  | "cross"
  | "crossInDots"
  | "brokenRing"
  | "lock"
  | "dash"
  | "pause"
  | "square"
  | "exclamation";

/**
 * The SVG content of each shape. The ring is a spinning half ring; with reduced motion it stands
 * still.
 */
const stateShapes: Record<StateShape, ReactElement> = {
  circle: <circle cx="8" cy="8" r="5.25" />,
  ring: (
    <>
      <circle cx="8" cy="8" r="5.25" opacity="0.25" />
      <path d="M8 2.75a5.25 5.25 0 0 1 0 10.5" className="origin-center animate-turn" />
    </>
  ),
  hand: (
    <path d="M5.2 8.6V4.3a.95.95 0 0 1 1.9 0V7.5V3.1a.95.95 0 0 1 1.9 0V7.5V3.9a.95.95 0 0 1 1.9 0V8V5.7a.9.9 0 0 1 1.8 0v3.8a4.2 4.2 0 0 1-4.2 4.2c-1.7 0-2.8-.7-3.6-2L2.9 8.9c-.5-.9.6-1.7 1.3-1l1 1" />
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M8 4.9V8l2.1 1.3" />
    </>
  ),
  check: <path d="m3.2 8.4 3.1 3.1 6.5-7" strokeWidth="1.9" />,
  checkInDots: (
    <>
      <circle cx="8" cy="8" r="6.4" strokeDasharray="0.1 2.58" strokeWidth="1.5" />
      <path d="m5.3 8.2 1.9 1.9 3.6-4" strokeWidth="1.6" />
    </>
  ),
  cross: <path d="m4.2 4.2 7.6 7.6m0-7.6-7.6 7.6" strokeWidth="1.9" />,
  crossInDots: (
    <>
      <circle cx="8" cy="8" r="6.4" strokeDasharray="0.1 2.58" strokeWidth="1.5" />
      <path d="m5.7 5.7 4.6 4.6m0-4.6-4.6 4.6" strokeWidth="1.6" />
    </>
  ),
  brokenRing: <path d="M8.9 2.8a5.25 5.25 0 0 1 3.9 7.3M7.1 13.2a5.25 5.25 0 0 1-3.9-7.3" />,
  lock: (
    <>
      <rect x="3.4" y="7" width="9.2" height="6.4" rx="1.4" fill="currentColor" fillOpacity="0.2" />
      <path d="M5.4 7V5.2a2.6 2.6 0 0 1 5.2 0V7" />
    </>
  ),
  dash: <path d="M3.8 8h8.4" strokeWidth="1.9" />,
  pause: <path d="M5.8 4v8m4.4-8v8" strokeWidth="1.9" />,
  square: <rect x="4" y="4" width="8" height="8" rx="1.2" />,
  exclamation: <path d="M8 3.2v5.9m0 3.3v.1" strokeWidth="1.9" />,
};

/** A decorative icon of a shape. Its label is next to it or on its parent. */
export function ShapeIcon({
  shape,
  stale = false,
  className,
}: {
  shape: StateShape;
  stale?: boolean;
  className: string;
}): ReactElement {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      {stale ? (
        <>
          <rect
            x="0.75"
            y="0.75"
            width="14.5"
            height="14.5"
            rx="3.5"
            strokeWidth="1"
            strokeDasharray="2.2 1.9"
            strokeLinecap="butt"
          />
          <g transform="translate(2.4 2.4) scale(0.7)">{stateShapes[shape]}</g>
        </>
      ) : (
        stateShapes[shape]
      )}
    </svg>
  );
}
