import type { ReactElement, ReactNode } from "react";
import { classes } from "./classes";

export interface BannerProps {
  tone: "calm" | "warning" | "danger";
  icon: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}

const tones = {
  calm: "bg-raised",
  warning: "bg-state-waiting-tint",
  danger: "bg-danger-tint",
};

/** A message about the whole page, with its actions, in a row below the header. */
export function Banner({ tone, icon, children, actions }: BannerProps): ReactElement {
  return (
    <div
      role="status"
      className={classes(
        "flex shrink-0 flex-wrap items-start gap-x-2 gap-y-1 border-b px-4 py-1.5",
        tones[tone],
      )}
    >
      <span className="mt-1 shrink-0 text-muted [&>svg]:size-4">{icon}</span>
      <div className="min-w-0 flex-1 basis-64 select-text py-0.5 [overflow-wrap:anywhere]">
        {typeof children === "string" ? (
          // A message that lists many nodes must not push the page content away.
          <p title={children} className="line-clamp-3">
            {children}
          </p>
        ) : (
          children
        )}
      </div>
      <div className="flex flex-wrap gap-1.5">{actions}</div>
    </div>
  );
}
