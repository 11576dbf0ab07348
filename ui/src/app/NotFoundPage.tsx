import type { ReactElement } from "react";
import { useLocation } from "react-router";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";

/** Shown for an address that matches no route. */
export function NotFoundPage(): ReactElement {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        title="This page doesn't exist"
        actions={
          <ButtonLink kind="primary" to={paths.blueprints}>
            All blueprints
          </ButtonLink>
        }
      >
        Nothing was found at <code className="select-text break-all">{pathname}</code>. The link may
        be incomplete or from another version of Baton.
      </EmptyState>
    </>
  );
}
