import type { ReactElement, ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "@/shell/paths";

interface VersionsHeadingProps {
  plan: string;
  title: string;
  /** The page below the list of versions; without one, this is the list. */
  children?: ReactNode;
}

/** The path from a blueprint to its versions and to one of their pages. */
export function VersionsHeading({ plan, title, children }: VersionsHeadingProps): ReactElement {
  return (
    <h1 className="flex min-w-0 items-center gap-1.5 text-13">
      <Link
        to={paths.blueprint(plan)}
        dir="auto"
        title={title}
        className="max-w-64 truncate text-muted hover:text-fg"
      >
        {title}
      </Link>
      <span className="text-faint">/</span>
      {children ? (
        <>
          <Link to={paths.versions(plan)} className="text-muted hover:text-fg">
            Versions
          </Link>
          <span className="text-faint">/</span>
          <span className="truncate font-semibold">{children}</span>
        </>
      ) : (
        <span className="truncate font-semibold">Versions</span>
      )}
    </h1>
  );
}
