import type { ReactElement } from "react";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { useRestorePlan } from "@/plan/useRestorePlan";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";

/** The page of a blueprint that was already deleted when it was opened. */
export function DeletedBlueprint({ plan }: { plan: string }): ReactElement {
  const { restore, restoring } = useRestorePlan();
  return (
    <>
      <PageHeader title="Blueprint" />
      <EmptyState
        title="This blueprint was deleted"
        actions={
          <>
            <Button
              kind="primary"
              busy={restoring !== undefined}
              onClick={() => void restore(plan)}
            >
              Restore
            </Button>
            <ButtonLink to={paths.blueprints}>All blueprints</ButtonLink>
          </>
        }
      >
        Restoring it brings back its runs, handoffs and approvals.
      </EmptyState>
    </>
  );
}
