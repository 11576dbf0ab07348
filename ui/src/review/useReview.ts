import { useState } from "react";
import type { NodeId, RunId } from "@/api/bindings";
import type { CommentedLines, ReviewComment } from "./reviewComment";
import { emptyReview, type ReviewDraft, readReview, writeReview } from "./reviewDraft";

/** The unsent review of a node, and what can be done with it. Every change is stored at once. */
export interface Review extends ReviewDraft {
  /** The comment whose text is being written. */
  editing: number | undefined;
  /** The comment that waits for another place. */
  moving: number | undefined;
  /** The browser has no room for the review: a reload would lose it. */
  isUnsaved: boolean;
  setText: (text: string) => void;
  /** Begins a comment on lines, or moves the comment that waits for a place there. */
  begin: (place: CommentedLines & Pick<ReviewComment, "path" | "head">) => void;
  change: (id: number, text: string) => void;
  edit: (id: number) => void;
  /** Ends editing. A comment without a text is removed. */
  finish: () => void;
  /** Ends editing with the former text. */
  cancel: () => void;
  remove: (id: number) => void;
  move: (id: number | undefined) => void;
  /** Replaces the whole review. */
  replace: (review: ReviewDraft) => void;
  clear: () => void;
}

export function useReview(run: RunId, node: NodeId): Review {
  const [draft, setDraft] = useState<ReviewDraft>(() => readReview(run, node));
  const [editing, setEditing] = useState<{ id: number; before: string }>();
  const [moving, setMoving] = useState<number>();
  const [isUnsaved, setUnsaved] = useState(false);

  function replace(next: ReviewDraft) {
    setDraft(next);
    setUnsaved(!writeReview(run, node, next));
  }
  const setComments = (comments: ReviewComment[]) => replace({ ...draft, comments });
  const update = (id: number, change: Partial<ReviewComment>) =>
    setComments(draft.comments.map((it) => (it.id === id ? { ...it, ...change } : it)));
  const remove = (id: number) => setComments(draft.comments.filter((it) => it.id !== id));

  function endEditing(text?: string) {
    if (!editing) return;
    const written = text ?? draft.comments.find(({ id }) => id === editing.id)?.text ?? "";
    if (written.trim() === "") remove(editing.id);
    else if (text !== undefined) update(editing.id, { text });
    setEditing(undefined);
  }

  function begin({ path, head, old, new: after, lines }: Parameters<Review["begin"]>[0]) {
    const place = { path, head, old, new: after, lines };
    if (moving !== undefined) {
      update(moving, place);
      setMoving(undefined);
      return;
    }
    const kept = draft.comments.filter(({ text }) => text.trim() !== "");
    const id = Math.max(0, ...kept.map((comment) => comment.id)) + 1;
    setComments([...kept, { id, ...place, text: "" }]);
    setEditing({ id, before: "" });
  }

  return {
    ...draft,
    editing: editing?.id,
    moving,
    isUnsaved,
    setText: (text) => replace({ ...draft, text }),
    begin,
    change: (id, text) => update(id, { text }),
    edit: (id) => {
      const before = draft.comments.find((comment) => comment.id === id)?.text ?? "";
      setEditing({ id, before });
    },
    finish: () => endEditing(),
    cancel: () => endEditing(editing?.before),
    remove,
    move: setMoving,
    replace,
    clear: () => replace(emptyReview),
  };
}
