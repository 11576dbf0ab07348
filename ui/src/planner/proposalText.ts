import type {
  Node,
  NodeId,
  Plan,
  ProposalKind,
  ProposalSummary,
  ProposedChange,
} from "@/api/bindings";
import { describeActor } from "@/components/actor";

/** The labels of proposals. Pure functions. */

const proposalKindLabels: Record<ProposalKind, string> = {
  generate: "New blueprint",
  from_session: "Blueprint from a session",
  split: "Node split",
  explain: "Explanation",
  fill: "Nodes for a blueprint",
  replan: "Replan after a failure",
  submitted: "Submitted blueprint",
};

export function proposalKindLabel(kind: ProposalKind): string {
  return proposalKindLabels[kind];
}

/** Says what a proposal is and who made it. */
export function proposalOriginLabel({
  kind,
  author,
}: Pick<ProposalSummary, "kind" | "author">): string {
  return author.submittedBy === null
    ? `${proposalKindLabel(kind)} by ${author.title}`
    : `${describeActor(author.submittedBy).who} submitted this`;
}

/** Returns the label of a proposal's state. */
export function proposalStateLabel({
  state: { state },
  author,
}: Pick<ProposalSummary, "state" | "author">): string {
  switch (state) {
    case "working":
      return author.submittedBy === null ? "Planning" : "Being revised";
    case "ready":
      return "Waiting for you";
    case "needs_review":
      return "Needs review";
    case "accepted":
      return "Accepted";
    case "rejected":
      return "Rejected";
    case "cancelled":
      return "Canceled";
    case "failed":
      return "Failed";
    case "expired":
      return "Expired";
  }
}

/** Whether somebody still has something to do about it. */
export function isOpenProposal({ state: { state } }: ProposalSummary): boolean {
  return ["working", "ready", "needs_review", "expired"].includes(state);
}

/** Whether a person can accept the proposal now. */
export function canAccept({ kind, state, target }: ProposalSummary): boolean {
  const waits = state.state === "ready" || state.state === "needs_review";
  return kind !== "explain" && waits && !target?.moved;
}

/** Whether the proposal is listed only to be read: there is nothing else to do with it. */
export function canDismiss({ kind, state }: ProposalSummary): boolean {
  const read = kind === "explain" && state.state === "ready";
  return read || state.state === "expired" || state.state === "failed";
}

/** Whether the planner can be started again. */
export function canRetry({ state }: ProposalSummary): boolean {
  return ["failed", "rejected", "cancelled", "needs_review", "expired"].includes(state.state);
}

/** Describes a change, with node titles from the draft, or from the base for removed nodes. */
export function describeProposedChange(
  change: ProposedChange,
  base: Plan | null,
  draft: Plan | null,
): { verb: string; what: string } {
  const title = (id: NodeId) => titleOf(find(draft, id) ?? find(base, id), id);
  switch (change.change) {
    case "add_node":
      return { verb: "Add", what: title(change.node) };
    case "remove_node":
      return { verb: "Remove", what: title(change.node) };
    case "change_node":
      return { verb: "Change", what: title(change.node) };
    case "add_edge":
      return {
        verb: "Add edge",
        what: `${title(change.edge.parent)} → ${title(change.edge.child)}`,
      };
    case "remove_edge":
      return {
        verb: "Remove edge",
        what: `${title(change.edge.parent)} → ${title(change.edge.child)}`,
      };
    case "change_plan":
      return { verb: "Change", what: "title, goal or settings of the blueprint" };
  }
}

/** Returns a string that identifies a change in lists and sets. */
export function proposedChangeKey(change: ProposedChange): string {
  return JSON.stringify(change);
}

function find(plan: Plan | null, id: NodeId): Node | undefined {
  return plan?.nodes.find((node) => node.id === id);
}

function titleOf(node: Node | undefined, id: NodeId): string {
  return node?.title || node?.slug || id;
}
