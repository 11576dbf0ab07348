import type { ReactElement } from "react";
import { Link } from "react-router";

export interface BreadcrumbsProps {
  /** The page that this one belongs to. */
  parent: { title: string; path: string };
  title: string;
}

/** The heading of a subpage, with a link back to the page that it belongs to. */
export function Breadcrumbs({ parent, title }: BreadcrumbsProps): ReactElement {
  return (
    <h1 className="flex items-center gap-1.5 font-semibold text-13">
      <Link to={parent.path} className="text-muted hover:text-fg">
        {parent.title}
      </Link>
      <span aria-hidden="true" className="text-faint">
        /
      </span>
      {title}
    </h1>
  );
}
