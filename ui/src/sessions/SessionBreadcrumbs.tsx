import { ChevronRight } from "lucide-react";
import type { ReactElement } from "react";
import { Link } from "react-router";
import { paths } from "@/shell/paths";

/** The title of a session below a link to all sessions. */
export function SessionBreadcrumbs({ title }: { title: string }): ReactElement {
  return (
    <nav aria-label="Breadcrumb" className="flex min-w-0 items-center gap-1">
      <Link to={paths.sessions} className="shrink-0 text-muted hover:text-fg">
        Sessions
      </Link>
      <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
      <h1 dir="auto" title={title} className="min-w-0 truncate font-semibold">
        {title}
      </h1>
    </nav>
  );
}
