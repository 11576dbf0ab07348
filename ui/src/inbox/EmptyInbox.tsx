import type { ReactElement } from "react";
import { ButtonLink } from "@/components/ButtonLink";
import { paths } from "@/shell/paths";

/** The empty state of the Inbox, which explains what appears here. */
export function EmptyInbox(): ReactElement {
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center-safe gap-1 overflow-auto p-8 text-center">
      <EmptyTray />
      <h2 className="mt-3 font-medium text-15">Nothing is waiting for you</h2>
      <p className="max-w-[52ch] text-balance text-muted">
        Questions, permission requests, agent requests and stalled runs appear here. Until then, you
        don't need to watch your runs.
      </p>
      <div className="mt-3">
        <ButtonLink to={paths.blueprints}>Open blueprints</ButtonLink>
      </div>
    </div>
  );
}

/** An illustration of two connected nodes above an empty tray. */
function EmptyTray(): ReactElement {
  return (
    <svg viewBox="0 0 120 72" className="h-18 w-30" fill="none" aria-hidden="true">
      <path
        d="M24 44h18l5 8h26l5-8h18v16a6 6 0 0 1-6 6H30a6 6 0 0 1-6-6V44Z"
        className="fill-raised stroke-line-strong"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <path d="m24 44 8-14m64 14-8-14" className="stroke-line-strong" strokeWidth="1.5" />
      <path d="M48 22 C56 22 64 14 72 14" className="stroke-accent" strokeWidth="1.5" />
      <circle
        cx="43"
        cy="22"
        r="5"
        className="fill-state-done-tint stroke-state-done"
        strokeWidth="1.5"
      />
      <circle
        cx="77"
        cy="14"
        r="5"
        className="fill-state-running-tint stroke-state-running"
        strokeWidth="1.5"
      />
    </svg>
  );
}
