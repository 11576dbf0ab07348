import type { ReactElement, ReactNode } from "react";
import { Button } from "./Button";

export interface ErrorStateProps {
  /** What happened: "Couldn't load the blueprints". */
  title: string;
  /** Why, and what to do: the error's message. */
  children: ReactNode;
  /** A code or trace for a report; shown small and selectable. */
  detail?: string | undefined;
  onRetry?: () => void;
  retrying?: boolean;
  actions?: ReactNode;
}

/** Shown in place of content that failed to load: what happened, why, and what to do. */
export function ErrorState({
  title,
  children,
  detail,
  onRetry,
  retrying = false,
  actions,
}: ErrorStateProps): ReactElement {
  return (
    <div
      role="alert"
      className="flex h-full flex-col items-center justify-center gap-1 p-8 text-center"
    >
      <h2 className="font-medium text-15">{title}</h2>
      <p className="max-w-[60ch] select-text text-balance text-muted">{children}</p>
      {detail && (
        <code className="mt-1 max-w-full select-text break-words text-11 text-faint">{detail}</code>
      )}
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        {onRetry && (
          <Button onClick={onRetry} busy={retrying}>
            Try again
          </Button>
        )}
        {actions}
      </div>
    </div>
  );
}
