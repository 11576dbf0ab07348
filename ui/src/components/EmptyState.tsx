import type { ReactElement, ReactNode } from "react";

export interface EmptyStateProps {
  title: string;
  /** Explains what is shown here and how to add it. */
  children?: ReactNode;
  /** Buttons for adding the first item. */
  actions?: ReactNode;
}

/** Shown when there is nothing yet, with what to do about it. */
export function EmptyState({ title, children, actions }: EmptyStateProps): ReactElement {
  return (
    <div className="flex h-full min-h-0 flex-col items-center justify-center-safe gap-1 overflow-auto p-8 text-center">
      <h2 className="font-medium text-15">{title}</h2>
      {children && <p className="max-w-[52ch] text-balance text-muted">{children}</p>}
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
