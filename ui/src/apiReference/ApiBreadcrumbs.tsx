import type { ReactElement } from "react";
import { Link } from "react-router";
import { paths } from "@/shell/paths";

/** The heading of the reference, with a link to the guide that it belongs to. */
export function ApiBreadcrumbs({ title }: { title: string }): ReactElement {
  return (
    <h1 className="flex items-center gap-1.5 font-semibold text-13">
      <Link to={paths.help} className="text-muted hover:text-fg">
        Help
      </Link>
      <span aria-hidden="true" className="text-faint">
        /
      </span>
      {title}
    </h1>
  );
}
