import { type ReactElement, useState } from "react";
import type { AttemptView, NodeDiffQuery, NodeDiffView, NodeId, RunId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { useFilePlaces } from "@/attempt/useFilePlaces";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { formatCount } from "@/components/formatCount";
import { Skeleton } from "@/components/Skeleton";
import { ChangesHead } from "./ChangesHead";
import { CommentsApart, FileChange } from "./FileChange";
import { FileNav } from "./FileNav";
import { initiallyOpenFiles } from "./openFiles";
import { type PlacedComment, placeComment, rowsOfFile } from "./placeComment";
import { ReviewBar } from "./ReviewBar";
import { type Review, useReview } from "./useReview";

export interface ChangesViewProps {
  run: RunId;
  node: NodeId;
  attempt: Pick<AttemptView, "attempt" | "agent">;
  /** The numbers of the node's attempts, latest first. */
  attempts: readonly number[];
  onSent: () => void;
}

/** What a node changed, file by file, with comments that go to its agent as one message. */
export function ChangesView(props: ChangesViewProps): ReactElement {
  const { run, node, attempt, attempts, onSent } = props;
  const [since, setSince] = useState<number>();
  const earlier = attempts.filter((number) => number < attempt.attempt);
  const query: NodeDiffQuery = {
    run,
    node,
    attempt: attempt.attempt,
    since: earlier.find((number) => number === since) ?? null,
    path: null,
  };
  const read = useOperation("node_diff", query);
  const review = useReview(run, node);
  if (read.isPending) return <ChangesSkeleton />;
  if (!read.data) {
    return (
      <ErrorState
        title="Couldn't load the changes"
        detail={read.error.code}
        retrying={read.isFetching}
        onRetry={() => void read.refetch()}
      >
        {read.error.message}
      </ErrorState>
    );
  }
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <ChangesHead
        diff={read.data}
        earlier={earlier}
        since={query.since}
        onSince={setSince}
        busy={read.isFetching}
        onReload={() => void read.refetch()}
      />
      <Changes
        key={`${query.attempt} ${query.since}`}
        {...{ run, node, query, onSent, review }}
        isLatest={attempts.every((number) => number <= attempt.attempt)}
        diff={read.data}
        agent={attempt.agent}
      />
    </div>
  );
}

function ChangesSkeleton(): ReactElement {
  return (
    <div role="status" aria-label="Loading the changes" className="flex flex-col gap-2 p-4">
      {["30%", "70%", "55%", "60%"].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}

interface ChangesProps {
  run: RunId;
  node: NodeId;
  agent: string | null;
  /** Whether no later attempt exists, whose session would receive the review. */
  isLatest: boolean;
  query: NodeDiffQuery;
  diff: NodeDiffView;
  review: Review;
  onSent: () => void;
}

function Changes(props: ChangesProps): ReactElement {
  const { run, node, agent, isLatest, query, diff, review, onSent } = props;
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [requested, setRequested] = useState<ReadonlySet<string>>(new Set());
  const places = useFilePlaces(diff.session);
  const open = initiallyOpenFiles(diff.files);
  const isOpen = (path: string) => toggled.get(path) ?? open.has(path);
  const own = agent === null ? undefined : review;
  const placed = agent === null ? [] : placeAll(review, diff);
  const listed = new Set(diff.files.map(({ delta }) => delta.path));
  const lost = placed.filter(({ comment }) => !listed.has(comment.path));
  const headId = (index: number) => `change-${node}-${index}`;

  function show(index: number) {
    const path = diff.files[index]?.delta.path ?? "";
    setToggled(new Map(toggled).set(path, true));
    const head = document.getElementById(headId(index));
    head?.closest("section")?.scrollIntoView({ block: "start" });
    head?.focus({ preventScroll: true });
  }

  return (
    <>
      <div className="flex min-h-0 flex-1">
        {diff.files.length > 1 && (
          <FileNav
            files={diff.files}
            leftOut={diff.filesLeftOut}
            countOf={(path) => placed.filter(({ comment }) => comment.path === path).length}
            onOpen={show}
          />
        )}
        <div className="relative min-w-0 flex-1 overflow-auto" data-changes>
          {lost.length > 0 && own && (
            <section aria-label="Comments on files without changes">
              <CommentsApart comments={lost} review={own} headId={headId(0)} namesFiles />
            </section>
          )}
          {diff.files.length === 0 && (
            <EmptyState title="No changes">
              The files are the same as before this node started.
            </EmptyState>
          )}
          {diff.files.map((file, index) => {
            const { path } = file.delta;
            return (
              <FileChange
                key={path}
                {...{ file, query, diff, places }}
                id={headId(index)}
                isOpen={isOpen(path)}
                onToggle={() => setToggled(new Map(toggled).set(path, !isOpen(path)))}
                isRequested={requested.has(path)}
                onRequest={() => setRequested(new Set(requested).add(path))}
                review={own}
              />
            );
          })}
          {diff.filesLeftOut > 0 && (
            <p className="px-4 py-2 text-12 text-muted">
              Not listed: {formatCount(diff.filesLeftOut, "more file")}.{" "}
              <code>baton node diff --path</code> shows one.
            </p>
          )}
        </div>
      </div>
      {places.view}
      {own && agent !== null && (diff.files.length > 0 || placed.length > 0) && (
        <ReviewBar {...{ run, node, agent, isLatest, diff, placed, onSent }} review={own} />
      )}
    </>
  );
}

/** The written comments in the order of the diff. */
function placeAll(review: Review, diff: NodeDiffView): PlacedComment[] {
  const written = review.comments.filter(({ text }) => text.trim() !== "");
  const order = new Map(diff.files.map((file, at) => [file.delta.path, { file, at }]));
  const placed = written.map((comment) =>
    placeComment(comment, rowsOfFile(order.get(comment.path)?.file), diff.head),
  );
  const rank = ({ comment }: PlacedComment) => order.get(comment.path)?.at ?? -1;
  return placed.sort(
    (one, other) => rank(one) - rank(other) || (one.row ?? -1) - (other.row ?? -1),
  );
}
