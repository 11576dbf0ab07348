import type { LineRange, NodeId, RunId } from "@/api/bindings";
import { readDraft, removeDraft, writeDraft } from "@/shell/drafts";
import type { ReviewComment } from "./reviewComment";

/** The unsent review of a node's changes. */
export interface ReviewDraft {
  /** What is said about the changes as a whole. */
  text: string;
  comments: ReviewComment[];
}

export const emptyReview: ReviewDraft = { text: "", comments: [] };

function nameOf(run: RunId, node: NodeId): string {
  return `review/${run}/${node}`;
}

/** Reads the stored review of a node. Comments that nothing was written in are dropped. */
export function readReview(run: RunId, node: NodeId): ReviewDraft {
  return parseReview(readDraft(nameOf(run, node))?.value);
}

/** Stores a review, or removes it when it is empty. Returns whether there was room for it. */
export function writeReview(run: RunId, node: NodeId, review: ReviewDraft): boolean {
  if (review.text === "" && review.comments.length === 0) {
    removeDraft(nameOf(run, node));
    return true;
  }
  return writeDraft(nameOf(run, node), review);
}

/** Returns the review in a value from the storage, without anything invalid. */
export function parseReview(value: unknown): ReviewDraft {
  if (!isRecord(value)) return emptyReview;
  const { text, comments } = value;
  const read = Array.isArray(comments) ? comments.flatMap(parseComment) : [];
  return { text: typeof text === "string" ? text : "", comments: read };
}

function parseComment(value: unknown): ReviewComment[] {
  if (!isRecord(value)) return [];
  const { id, path, old, new: after, lines, text, head } = value;
  const isWritten = typeof text === "string" && text.trim() !== "";
  if (typeof id !== "number" || typeof path !== "string" || !isWritten) return [];
  if (typeof head !== "string" || !isRange(old) || !isRange(after)) return [];
  if (!Array.isArray(lines) || !lines.every((line) => typeof line === "string")) return [];
  return [{ id, path, old, new: after, lines, text, head }];
}

function isRange(value: unknown): value is LineRange | null {
  if (value === null) return true;
  return isRecord(value) && typeof value.first === "number" && typeof value.last === "number";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
