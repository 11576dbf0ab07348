import type { ReactElement } from "react";
import { Link } from "react-router";
import { useOperation } from "@/api/queries";
import { PageHeader } from "@/app/PageHeader";
import { paths } from "@/app/paths";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";

/** All blueprints of this machine. */
export function BlueprintsPage(): ReactElement {
  return (
    <>
      <PageHeader
        title="Blueprints"
        actions={
          <ButtonLink kind="primary" to={paths.newBlueprint}>
            New blueprint
          </ButtonLink>
        }
      />
      <div className="min-h-0 flex-1 overflow-auto">
        <Blueprints />
      </div>
    </>
  );
}

function Blueprints(): ReactElement | null {
  const plans = useOperation("plans_list", {});

  if (plans.isPending) return null;
  if (plans.isError) {
    return (
      <ErrorState
        title="Blueprints could not be read"
        detail={plans.error.code}
        onRetry={() => void plans.refetch()}
        retrying={plans.isFetching}
      >
        {plans.error.message}
      </ErrorState>
    );
  }
  if (plans.data.length === 0) {
    return (
      <EmptyState title="No blueprints yet">
        A blueprint is a goal cut into nodes that agents and commands work off. Make one with New
        blueprint.
      </EmptyState>
    );
  }
  return (
    <ul>
      {plans.data.map((plan) => (
        <li key={plan.id} className="border-b">
          <Link
            to={paths.blueprint(plan.id)}
            className="flex h-7 items-center truncate px-4 hover:bg-hover"
          >
            {plan.title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
