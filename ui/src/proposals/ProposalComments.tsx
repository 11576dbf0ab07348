import { type ReactElement, useState } from "react";
import type { Comment, Node, ProposalView } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { formatActor } from "@/components/actor";
import { Button } from "@/components/Button";
import { RelativeTime } from "@/components/RelativeTime";
import { Select } from "@/components/Select";
import { TextArea } from "@/components/TextArea";
import { isOpenProposal } from "@/planner/proposalText";
import { useTextDraft } from "@/shell/useTextDraft";
import { commentPlaces, nodeOfComment } from "./commentPlaces";

/**
 * The comments on a draft with their answers, and a field for another one: on the selected node, or
 * on the whole blueprint.
 */
export function ProposalComments({
  view,
  node,
}: {
  view: ProposalView;
  node: Node | undefined;
}): ReactElement {
  // Those at the selected node come first.
  const isHere = (comment: Comment) => node !== undefined && nodeOfComment(comment) === node.id;
  const shown = view.comments.toSorted((one, other) => Number(isHere(other)) - Number(isHere(one)));
  return (
    <div className="flex flex-col gap-3">
      {shown.length > 0 && (
        <ul className="flex flex-col gap-3">
          {shown.map((comment) => (
            <li key={comment.id} className="select-text break-words">
              <CommentText view={view} comment={comment} />
            </li>
          ))}
        </ul>
      )}
      {isOpenProposal(view.summary) && (
        // The field is another one for each node: what was typed belongs to it.
        <CommentField key={node?.id ?? "plan"} view={view} node={node} />
      )}
    </div>
  );
}

function CommentText({ view, comment }: { view: ProposalView; comment: Comment }): ReactElement {
  const place = placeTitle(view, comment);
  return (
    <>
      <span className="text-12 text-faint">
        {formatActor(comment.author)}
        {place !== undefined && <> on {place}</>} · <RelativeTime at={comment.at} />
      </span>
      <p className="whitespace-pre-wrap">{comment.text}</p>
      {comment.answer && (
        <p className="mt-1 whitespace-pre-wrap border-line border-l-2 pl-2 text-muted">
          <span className="text-12 text-faint">
            {formatActor(comment.answer.author)} answered:{" "}
          </span>
          {comment.answer.text}
        </p>
      )}
    </>
  );
}

/** What the comment is about; undefined for the whole blueprint. A removed node has no title. */
function placeTitle(view: ProposalView, { place }: Comment): string | undefined {
  const title = (id: string) =>
    view.draft?.nodes.find((node) => node.id === id)?.title ?? "a removed node";
  switch (place.on) {
    case "plan":
      return undefined;
    case "node":
      return title(place.node);
    case "field":
      return `${title(place.node)}, ${place.field}`;
    case "edge":
      return `${title(place.edge.parent)} → ${title(place.edge.child)}`;
  }
}

function CommentField({
  view,
  node,
}: {
  view: ProposalView;
  node: Node | undefined;
}): ReactElement {
  const { id: proposal, rounds: round } = view.summary;
  const [text, setText, discard] = useTextDraft(`comment/${proposal}/${node?.id ?? "plan"}`);
  const send = useMutationOperation("proposal_comment");
  const places = view.draft ? commentPlaces(view.draft, node?.id) : [];
  const [chosen, setChosen] = useState<string | undefined>();
  const at = places.find(({ id }) => id === chosen) ?? places[0];
  return (
    <div className="flex flex-col items-start gap-2">
      {places.length > 1 && (
        <div className="w-full max-w-80">
          <Select label="About" options={places} value={at?.id} onChange={setChosen} />
        </div>
      )}
      <div className="w-full">
        <TextArea
          label={node ? `Comment on ${node.title}` : "Comment on the blueprint"}
          value={text}
          onChange={setText}
          error={send.error?.message}
        />
      </div>
      <Button
        busy={send.isPending}
        disabled={!text.trim() || !at}
        onClick={() =>
          at &&
          send.mutate(
            { proposal, round, place: at.place, text: text.trim() },
            { onSuccess: () => discard() },
          )
        }
      >
        Comment
      </Button>
    </div>
  );
}
