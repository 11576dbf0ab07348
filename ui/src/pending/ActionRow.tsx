import type { ReactElement, ReactNode } from "react";

/** A row of buttons, followed by the error or the result of the last action. */
export function ActionRow({
  error,
  lead = "Couldn't send the answer.",
  done,
  children,
}: {
  error?: string | undefined;
  /** What failed; shown before the error. */
  lead?: string;
  /** The result of the last action. */
  done?: string | undefined;
  children: ReactNode;
}): ReactElement {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5">
      {children}
      {done !== undefined && error === undefined && (
        <span role="status" className="text-12 text-faint">
          {done}
        </span>
      )}
      {error !== undefined && (
        <span role="alert" className="min-w-0 select-text break-words text-12 text-danger-fg">
          {lead} {error}
        </span>
      )}
    </div>
  );
}
