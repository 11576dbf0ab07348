import { type ReactElement, useState } from "react";
import { createPortal } from "react-dom";
import type { NodeSummaryView, RunView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { formatCount } from "@/components/formatCount";
import { Markdown } from "@/components/Markdown";
import { Skeleton } from "@/components/Skeleton";
import { StateIcon } from "@/components/StateIcon";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { goToNode } from "@/plan/goToNode";
import { useInspectorTab } from "@/plan/inspectorTab";
import { displayTitle, nodeStateAppearance } from "@/plan/nodeText";
import { RunNote } from "./RunNote";

/** How many summaries are rendered at first: each one may have 16 KiB of Markdown. */
const pageSize = 20;

/**
 * A person's note on the shown run, and the summaries that its nodes wrote to `BATON_SUMMARY`, in the
 * run's order.
 */
export function SummariesPanel({
  run,
  headPlace,
}: {
  run: RunView | undefined;
  /** Where the count is rendered: in the row of tabs. */
  headPlace: HTMLElement | null;
}): ReactElement {
  if (!run) {
    return (
      <p className="flex h-full items-center justify-center p-4 text-faint">
        No run is shown. Choose Run all to see the summaries that nodes write.
      </p>
    );
  }
  return (
    <div key={run.summary.id} className="flex min-h-full flex-col gap-3 p-4">
      <RunNote run={run} />
      <Summaries run={run} headPlace={headPlace} />
    </div>
  );
}

function Summaries({
  run,
  headPlace,
}: {
  run: RunView;
  headPlace: HTMLElement | null;
}): ReactElement {
  const { data, error, isFetching, refetch } = useOperation("run_summaries", {
    run: run.summary.id,
  });
  const [most, setMost] = useState(pageSize);
  if (data === undefined) {
    return error ? (
      <ErrorState
        title="Couldn't load the summaries"
        detail={error.code}
        onRetry={() => void refetch()}
        retrying={isFetching}
      >
        {error.message}
      </ErrorState>
    ) : (
      <div role="status" aria-label="Loading summaries" className="flex flex-col gap-2">
        <Skeleton width="40%" />
        <Skeleton width="60%" />
      </div>
    );
  }
  const { summaries, leftOut } = data;
  if (summaries.length === 0) {
    return (
      <EmptyState title="No summaries">
        A command or an agent can write one, in Markdown, to the file in $BATON_SUMMARY. It is shown
        when its node has ended.
      </EmptyState>
    );
  }
  const left = summaries.length - most;
  return (
    <div className="flex flex-col gap-3">
      {headPlace &&
        createPortal(
          <span role="status" className="ml-auto whitespace-nowrap text-12 text-faint tabular-nums">
            {describeCount(summaries.length + leftOut)}
          </span>,
          headPlace,
        )}
      {summaries.slice(0, most).map((summary) => (
        <RunSummaryOfNode key={summary.node} summary={summary} run={run} />
      ))}
      {left > 0 ? (
        <Button size="small" className="self-start" onClick={() => setMost(most + pageSize)}>
          Show more, {left} left
        </Button>
      ) : (
        leftOut > 0 && (
          <p className="text-12 text-muted">
            {`${formatCount(leftOut, "more node")} wrote a summary. Select a node to read it.`}
          </p>
        )
      )}
    </div>
  );
}

function describeCount(count: number): string {
  return count === 1 ? "1 summary" : `${count} summaries`;
}

/** One summary, below the title of its node, which leads to it. */
function RunSummaryOfNode({
  summary: { node, attempt, markdown, cut },
  run,
}: {
  summary: NodeSummaryView;
  run: RunView;
}): ReactElement {
  const blueprint = useBlueprint();
  const isKnown = useEditor(({ plan }) => plan.nodes.some(({ id }) => id === node));
  const title = displayTitle(run.plan.nodes.find(({ id }) => id === node)?.title ?? "");
  const state = run.nodes.find((each) => each.node === node);
  return (
    <section aria-label={`Summary of ${title}`} className="flex flex-col gap-1.5">
      <h2 className="flex min-w-0 items-center gap-2 text-12">
        <StateIcon size="small" {...nodeStateAppearance(state)} />
        {isKnown ? (
          <button
            type="button"
            dir="auto"
            onClick={() => {
              useInspectorTab.getState().open("handoff");
              goToNode(blueprint, node);
            }}
            className="min-w-0 truncate font-medium hover:underline"
          >
            {title}
          </button>
        ) : (
          <span dir="auto" title="No longer in the blueprint" className="min-w-0 truncate">
            {title}
          </span>
        )}
        {attempt > 1 && <span className="shrink-0 text-faint">{`Attempt ${attempt}`}</span>}
      </h2>
      <div dir="auto" className="rounded-card border bg-raised px-3 py-2.5">
        <Markdown text={markdown} />
      </div>
      {cut && (
        <p className="text-12 text-muted">
          Only the beginning is shown. The Handoff tab of the node shows the rest.
        </p>
      )}
    </section>
  );
}
