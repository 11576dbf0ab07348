import type { ReactElement, ReactNode } from "react";

/** Acts beside each other; below them why the last one was refused, or what it did. */
export function ActionRow({
  error,
  lead = "The answer was not taken.",
  done,
  children,
}: {
  error?: string | undefined;
  /** What did not happen, before the reason. */
  lead?: string;
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
