import { type ReactElement, useMemo, useState } from "react";
import { useParams } from "react-router";
import type { NodeId, ProposalView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ErrorState } from "@/components/ErrorState";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { Markdown } from "@/components/Markdown";
import { Skeleton } from "@/components/Skeleton";
import { Switch } from "@/components/Switch";
import { Tabs } from "@/components/Tabs";
import { ProposalGraph } from "@/graph/ProposalGraph";
import { proposedChangeKey } from "@/planner/proposalText";
import { PageHeader } from "@/shell/PageHeader";
import { SplitPanels } from "@/shell/SplitPanels";
import { openCommentCounts } from "./commentPlaces";
import { PlannerSession } from "./PlannerSession";
import { ProposalDetails } from "./ProposalDetails";
import { ProposalHeader } from "./ProposalHeader";
import { ProposalNotice } from "./ProposalNotice";
import { graphSinceReview, isEmptyDiff } from "./sinceReview";
import { useProposalActions } from "./useProposalActions";

/** A proposal: the planner's session while it works, then the result to accept, reject or retry. */
export function ProposalPage(): ReactElement {
  const { proposal = "" } = useParams();
  const query = useOperation("proposal_get", { proposal });

  if (query.data) return <Proposal key={proposal} view={query.data} />;
  return (
    <>
      <PageHeader title="Proposal" />
      {query.error ? (
        <ErrorState
          title="Couldn't load the proposal"
          detail={query.error.code}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : (
        <div className="p-4">
          <Skeleton />
        </div>
      )}
    </>
  );
}

type View = "draft" | "session";

function Proposal({ view }: { view: ProposalView }): ReactElement {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<NodeId | undefined>();
  const [chosen, setChosen] = useState<View | undefined>();
  const acts = useProposalActions(view);
  const since = view.sinceReviewed && !isEmptyDiff(view.sinceReviewed) ? view.sinceReviewed : null;
  const [filters, setFilters] = useState(true);
  const shownSince = filters ? since : null;
  const graph = useMemo(
    () => (view.draft && shownSince ? graphSinceReview(view.draft, shownSince) : view),
    [view, shownSince],
  );
  const comments = useMemo(() => openCommentCounts(view.comments), [view.comments]);
  const wanted = view.changes.filter((change) => !left.has(proposedChangeKey(change)));
  const hasDraft = view.draft !== null || view.explanation !== null;
  const shown = chosen ?? (hasDraft ? "draft" : "session");

  const draft =
    view.explanation !== null ? (
      <div {...keyboardScrollable} className="min-h-0 flex-1 overflow-auto px-6 py-5">
        <div className="max-w-[72ch]">
          <Markdown text={view.explanation} />
        </div>
      </div>
    ) : (
      <SplitPanels
        id="proposal.side"
        orientation="horizontal"
        label="Resize details"
        main={
          <ProposalGraph
            view={graph}
            selected={selected}
            onSelect={setSelected}
            comments={comments}
          />
        }
        side={
          <div {...keyboardScrollable} className="h-full overflow-auto bg-surface">
            {since && (
              <div className="border-b px-4 py-2">
                <Switch
                  label="Only changes since my last word"
                  checked={filters}
                  onChange={setFilters}
                />
              </div>
            )}
            <ProposalDetails
              view={view}
              since={shownSince}
              selected={selected}
              left={left}
              onLeft={setLeft}
              onShowNode={setSelected}
            />
          </div>
        }
      />
    );

  return (
    <>
      <ProposalHeader
        view={view}
        acts={acts}
        wanted={left.size === 0 ? null : wanted}
        nothingWanted={view.changes.length > 0 && wanted.length === 0}
      />
      <ProposalNotice view={view} acts={acts} />
      <Tabs<View>
        label="Proposal"
        value={shown}
        onChange={setChosen}
        tabs={[
          ...(hasDraft
            ? [
                {
                  id: "draft" as const,
                  label: view.explanation === null ? "Graph" : "Explanation",
                  content: draft,
                },
              ]
            : []),
          // One that was submitted complete has no planner.
          ...(view.summary.author.submittedBy === null
            ? [
                {
                  id: "session" as const,
                  label: "Planner's session",
                  content: <PlannerSession view={view} />,
                },
              ]
            : []),
        ]}
      />
    </>
  );
}
