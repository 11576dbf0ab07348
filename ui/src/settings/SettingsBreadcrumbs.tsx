import type { ReactElement } from "react";
import { Link } from "react-router";
import { paths } from "@/shell/paths";

/** The heading of a subpage of the settings, with a link back. */
export function SettingsBreadcrumbs({ title }: { title: string }): ReactElement {
  return (
    <h1 className="flex items-center gap-1.5 font-semibold text-13">
      <Link to={paths.settings} className="text-muted hover:text-fg">
        Settings
      </Link>
      <span aria-hidden="true" className="text-faint">
        /
      </span>
      {title}
    </h1>
  );
}
