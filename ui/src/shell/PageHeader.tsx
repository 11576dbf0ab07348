import type { ReactElement, ReactNode } from "react";

/** The id of the heading, which labels the main area of the page. */
export const pageHead = "page-head";

export interface PageHeaderProps {
  /** The window title; also the heading unless `heading` is given. */
  title: string;
  /** Replaces the heading, for an editable title or breadcrumbs. */
  heading?: ReactNode;
  /** Next to the title, such as a state pill or the version. */
  status?: ReactNode;
  /** Actions of the page at the right end, the primary one last. */
  actions?: ReactNode;
  /** A second, slimmer row, for view switches, search, zoom or totals. */
  toolbar?: ReactNode;
}

/**
 * The header of every page: a row of 44 px, with an optional toolbar of 36 px below. Content that
 * doesn't fit wraps.
 */
export function PageHeader({
  title,
  heading,
  status,
  actions,
  toolbar,
}: PageHeaderProps): ReactElement {
  return (
    <header className="shrink-0 border-b bg-surface">
      <title>{`${title} – Baton`}</title>
      <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 px-4 py-1">
        <div id={pageHead} className="contents">
          {heading ?? (
            <h1 dir="auto" className="min-w-0 truncate font-semibold text-13">
              {title}
            </h1>
          )}
        </div>
        {status}
        <div className="ml-auto flex max-w-full flex-wrap items-center justify-end gap-1.5">
          {actions}
        </div>
      </div>
      {toolbar && (
        <div className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 border-t px-4 py-1">
          {toolbar}
        </div>
      )}
    </header>
  );
}
