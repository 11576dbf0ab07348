import type { ReactElement } from "react";
import { useLocation } from "react-router";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";

/** An address that no page has. */
export function NotFoundPage(): ReactElement {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title="No such page" />
      <EmptyState
        title="There is no page at this address"
        actions={
          <ButtonLink kind="primary" to={paths.blueprints}>
            All blueprints
          </ButtonLink>
        }
      >
        Nothing is at <code className="select-text break-all">{pathname}</code>. The link may be of
        another version of Baton, or was not copied whole.
      </EmptyState>
    </>
  );
}
