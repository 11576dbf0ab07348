import type { ReactElement } from "react";
import { Link, useLocation } from "react-router";
import { EmptyState } from "@/components/EmptyState";
import { PageHeader } from "./PageHeader";
import { paths } from "./paths";

/** An address that no page has. */
export function NotFoundPage(): ReactElement {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title="No such page" />
      <EmptyState title="There is no page at this address">
        Nothing is at <code className="select-text break-all">{pathname}</code>. Go back to{" "}
        <Link to={paths.blueprints} className="text-accent-fg underline">
          all blueprints
        </Link>
        .
      </EmptyState>
    </>
  );
}
