import { ChevronDown, ChevronRight, Eye, SquarePen } from "lucide-react";
import type { ReactElement } from "react";
import { useBackend } from "@/api/backendContext";
import type { FileDiffView, NodeDiffQuery, NodeDiffView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { LineCounts } from "@/attempt/FileDeltaList";
import { deltaLetters } from "@/attempt/fileDeltaText";
import type { FilePlaces } from "@/attempt/useFilePlaces";
import { Button } from "@/components/Button";
import { formatBytes } from "@/components/formatBytes";
import { IconButton } from "@/components/IconButton";
import { Skeleton } from "@/components/Skeleton";
import { ChangedImage, isChangedImage } from "./ChangedImage";
import { CommentCard } from "./CommentCard";
import { DiffLines } from "./DiffLines";
import { type PlacedComment, placeComment, rowsOfFile } from "./placeComment";
import type { Review } from "./useReview";

export interface FileChangeProps {
  file: FileDiffView;
  /** The request that listed the file, for loading it alone. */
  query: NodeDiffQuery;
  /** The diff that the file is part of. */
  diff: NodeDiffView;
  places: Pick<FilePlaces, "openPath" | "viewPath">;
  id: string;
  isOpen: boolean;
  onToggle: () => void;
  isRequested: boolean;
  onRequest: () => void;
  review: Review | undefined;
}

/** One changed file: its name, and its lines with the comments on them. */
export function FileChange(props: FileChangeProps): ReactElement {
  const { query, diff, places, id, isOpen, onToggle, isRequested, onRequest, review } = props;
  const { head, session } = diff;
  const { path } = props.file.delta;
  const absolutePath = `${diff.root}/${path}`;
  const alone = useOperation("node_diff", { ...query, path }, { enabled: isRequested });
  const file = alone.data?.files[0] ?? props.file;
  const rows = rowsOfFile(file);
  const own = review?.comments.filter((comment) => comment.path === path) ?? [];
  const comments = own.map((comment) => placeComment(comment, rows, head));
  const apart = comments.filter(({ row }) => row === undefined);
  return (
    <section aria-labelledby={id} className="border-b">
      <FileHead {...{ file, id, isOpen, onToggle, places, absolutePath }} count={comments.length} />
      {isOpen && review && apart.length > 0 && (
        <CommentsApart comments={apart} review={review} headId={id} />
      )}
      {isOpen && file.content.kind === "hunks" && rows.length > 0 && (
        <DiffLines {...{ path, head, rows, review, comments }} hunks={file.content.hunks} />
      )}
      {isOpen && rows.length === 0 && (
        <div className="flex flex-wrap items-center gap-2 px-4 py-2 text-12 text-muted">
          {alone.isFetching ? (
            <Skeleton width="40%" />
          ) : isChangedImage(file) ? (
            <ChangedImage session={session} path={absolutePath} />
          ) : (
            <p>{reasonForNoLines(file)}</p>
          )}
          {file.content.kind === "not_loaded" && !alone.isFetching && (
            <Button size="small" onClick={isRequested ? () => void alone.refetch() : onRequest}>
              Load
            </Button>
          )}
          {alone.error && <p role="alert">{alone.error.message}</p>}
        </div>
      )}
    </section>
  );
}

interface FileHeadProps {
  file: FileDiffView;
  id: string;
  isOpen: boolean;
  onToggle: () => void;
  count: number;
  places: FileChangeProps["places"];
  absolutePath: string;
}

function FileHead(props: FileHeadProps): ReactElement {
  const { file, id, isOpen, onToggle, count } = props;
  const { change, path, from, added, removed } = file.delta;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className="sticky top-0 z-10 flex items-center border-b bg-raised pr-2">
      <h3 className="flex min-w-0 flex-1">
        <button
          type="button"
          id={id}
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex min-w-0 flex-1 items-center gap-2 px-3 py-1.5 text-left text-12 hover:bg-hover focus-visible:-outline-offset-2"
        >
          <Icon aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
          <span title={change} className="w-3 shrink-0 font-mono text-faint">
            <span aria-hidden="true">{deltaLetters[change]}</span>
            <span className="sr-only">{change}</span>
          </span>
          <span dir="auto" className="min-w-0 break-all font-mono">
            {from !== null && <span className="text-faint">{from} → </span>}
            {path}
          </span>
          {file.shared && (
            <span
              title="Another node worked in the same directory when it changed"
              className="shrink-0 text-faint"
            >
              shared
            </span>
          )}
          {count > 0 && (
            <span className="shrink-0 rounded-full bg-accent-tint px-1.5 text-accent-fg tabular-nums">
              {count}
              <span className="sr-only">{count === 1 ? " comment" : " comments"}</span>
            </span>
          )}
          <LineCounts added={added} removed={removed} />
        </button>
      </h3>
      {change !== "deleted" && <FileActions {...props} />}
    </div>
  );
}

/** Opens the file as it is now, near its first change. */
function FileActions({ file, places, absolutePath }: FileHeadProps): ReactElement {
  const { desktop } = useBackend();
  const { content, delta } = file;
  const hunk = content.kind === "hunks" ? content.hunks[0] : undefined;
  const place = { path: absolutePath, ...(hunk && { line: Math.max(1, hunk.newStart) }) };
  return (
    <>
      <IconButton
        size="small"
        label={`View ${delta.path}`}
        icon={<Eye />}
        onClick={() => places.viewPath(place)}
      />
      {desktop && (
        <IconButton
          size="small"
          label={`Open ${delta.path} in editor`}
          icon={<SquarePen />}
          onClick={() => places.openPath(place)}
        />
      )}
    </>
  );
}

interface CommentsApartProps {
  comments: readonly PlacedComment[];
  review: Review;
  namesFiles?: boolean;
  /** The element that receives the focus when a comment is gone. */
  headId: string;
}

/** Comments whose lines are not in the diff. */
export function CommentsApart(props: CommentsApartProps): ReactElement {
  const { comments, review, namesFiles = false, headId } = props;
  return (
    <div className="flex flex-col gap-2 border-b px-3 py-2">
      {comments.map((placed) => (
        <CommentCard
          key={placed.comment.id}
          placed={placed}
          review={review}
          namesFile={namesFiles}
          onLeave={() => setTimeout(() => document.getElementById(headId)?.focus())}
        />
      ))}
    </div>
  );
}

function reasonForNoLines({ content, delta, oldMode, newMode }: FileDiffView): string {
  switch (content.kind) {
    case "binary":
      return "Binary file. Its content isn't shown.";
    case "too_large":
      return `Too large to compare (${formatBytes(content.bytes)}).`;
    case "not_loaded":
      return "Not loaded, because the files above are large.";
    case "missing":
      return "This partial clone doesn't have its content.";
    case "hunks":
      if (oldMode !== newMode && delta.change === "changed") {
        return `Only its mode changed: ${oldMode} → ${newMode}.`;
      }
      return delta.change === "renamed" ? "Moved without changes." : "The file is empty.";
  }
}
