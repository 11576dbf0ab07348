import type { ReactElement } from "react";
import { Navigate, useParams, useSearchParams } from "react-router";
import type { RunView } from "@/api/bindings";
import { useRun } from "@/api/useRun";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { nodesByCost } from "@/run/nodeCosts";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { isMissing } from "./runText";

/** Opens the blueprint of a run that is known only by its id. */
export function RunLinkPage(): ReactElement {
  const { run = "" } = useParams();
  const [search] = useSearchParams();
  const { data, error, refetch, isFetching } = useRun(run);
  if (data) {
    const node = targetNode(data, search.get("node"));
    return <Navigate replace to={paths.blueprintAt(data.summary.plan, { run, node })} />;
  }
  return (
    <>
      <PageHeader title="Run" />
      {error && isMissing(error) ? (
        <EmptyState
          title="This run doesn't exist"
          actions={<ButtonLink to={paths.runs}>Show all runs</ButtonLink>}
        >
          It was deleted, or the link is wrong.
        </EmptyState>
      ) : error ? (
        <ErrorState
          title="Couldn't load the run"
          detail={error.code}
          onRetry={() => void refetch()}
          retrying={isFetching}
        >
          {error.message}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading run" className="p-4">
          <Skeleton width={240} />
        </div>
      )}
    </>
  );
}

/**
 * The node that a link leads to. `first_failed` is the first failed node in plan order, and
 * `costliest` the one with the highest reported cost, if any.
 */
export function targetNode(run: Pick<RunView, "nodes">, node: string | null): string | undefined {
  if (node === "costliest") return nodesByCost(run.nodes)[0];
  if (node !== "first_failed") return node ?? undefined;
  return run.nodes.find(({ state }) => state.state === "failed")?.node;
}
