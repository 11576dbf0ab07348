import type { ReactElement, ReactNode } from "react";

/** The id of the heading, which names the main part of the page. */
export const pageHead = "page-head";

export interface PageHeaderProps {
  /** The words of the window title; also the heading unless `heading` is given. */
  title: string;
  /** Replaces the heading, for a title that can be edited or a trail. */
  heading?: ReactNode;
  /** Beside the title: state pill, version. */
  status?: ReactNode;
  /** At the right end: the acts of the page, the main one last. */
  actions?: ReactNode;
  /** A second, slimmer row: views, search, zoom, totals. */
  toolbar?: ReactNode;
}

/** The head of every page: one row of 44 px, and a toolbar of 36 px below it when the page has one. What has no room wraps. */
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
          {heading ?? <h1 className="min-w-0 truncate font-semibold text-13">{title}</h1>}
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
