import type { ReactElement } from "react";

/** The app's logo: two nodes and the baton between them. */
export function BatonMark(): ReactElement {
  return (
    <svg viewBox="0 0 24 24" className="size-6" aria-hidden="true">
      <rect width="24" height="24" rx="6" className="fill-accent" />
      <g className="fill-on-accent stroke-on-accent">
        <path d="M8 16 16 8" strokeWidth="2" />
        <circle cx="8" cy="16" r="2" />
        <circle cx="16" cy="8" r="2" />
      </g>
    </svg>
  );
}
