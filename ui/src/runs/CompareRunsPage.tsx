import { TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import { Link, useSearchParams } from "react-router";
import type { NodeId, RunView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { useRun } from "@/api/useRun";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { NodeComparisonTable } from "./NodeComparisonTable";
import { RunTotals } from "./RunTotals";
import { isMissing } from "./runText";

/** Compares two runs, in total and node by node. */
export function CompareRunsPage(): ReactElement {
  const [search] = useSearchParams();
  const [a, b] = [search.get("a") ?? "", search.get("b") ?? ""];
  return (
    <>
      <PageHeader
        title="Compare runs"
        heading={
          <h1 className="flex min-w-0 items-center gap-1.5 text-13">
            <Link to={paths.runs} className="text-muted hover:text-fg">
              Runs
            </Link>
            <span className="text-faint">/</span>
            <span className="truncate font-semibold">Compare runs</span>
          </h1>
        }
      />
      {a === "" || b === "" ? (
        <NotTwo title="Select two runs to compare">
          Select two runs in the list, then Compare.
        </NotTwo>
      ) : a === b ? (
        <NotTwo title="This is the same run twice">Select two different runs in the list.</NotTwo>
      ) : (
        <Content key={`${a} ${b}`} a={a} b={b} />
      )}
    </>
  );
}

function NotTwo({ title, children }: { title: string; children: string }): ReactElement {
  return (
    <EmptyState title={title} actions={<ButtonLink to={paths.runs}>Show all runs</ButtonLink>}>
      {children}
    </EmptyState>
  );
}

function Content({ a, b }: { a: string; b: string }): ReactElement {
  const [first, second] = [useRun(a), useRun(b)];
  const handoffs = useOperation("handoffs_compare", { a, b });
  const error = first.error ?? second.error;
  if (first.data && second.data && (handoffs.data || handoffs.error))
    return (
      <>
        {!handoffs.data && (
          <Banner
            tone="warning"
            icon={<TriangleAlert />}
            actions={
              <Button
                size="small"
                busy={handoffs.isFetching}
                onClick={() => void handoffs.refetch()}
              >
                Retry
              </Button>
            }
          >
            {`The handoffs couldn't be compared. ${handoffs.error?.message ?? ""}`}
          </Banner>
        )}
        <Comparison a={first.data} b={second.data} otherHandoffs={handoffs.data?.different} />
      </>
    );
  if ((first.error && isMissing(first.error)) || (second.error && isMissing(second.error)))
    return (
      <NotTwo title={first.error && second.error ? "These runs don't exist" : describeGap(first)}>
        It was deleted, or the link is wrong.
      </NotTwo>
    );
  if (error)
    return (
      <ErrorState
        title="Couldn't load the runs"
        detail={error.code}
        onRetry={() => {
          void first.refetch();
          void second.refetch();
        }}
        retrying={first.isFetching || second.isFetching}
      >
        {error.message}
      </ErrorState>
    );
  return (
    <div role="status" aria-label="Loading runs" className="flex flex-col gap-3 p-4">
      {[320, 210, 280].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}

function describeGap(first: { error: unknown }): string {
  return first.error ? "The first run doesn't exist" : "The second run doesn't exist";
}

function Comparison(props: {
  a: RunView;
  b: RunView;
  otherHandoffs: readonly NodeId[] | undefined;
}): ReactElement {
  return (
    <div className="@container min-h-0 flex-1 overflow-auto">
      <RunTotals a={props.a} b={props.b} />
      <NodeComparisonTable {...props} />
    </div>
  );
}
