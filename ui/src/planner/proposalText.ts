import type {
  Node,
  NodeId,
  Plan,
  ProposalKind,
  ProposalState,
  ProposalSummary,
  ProposedChange,
} from "@/api/bindings";

/** What a proposal is called where people read of it. Pure. */

const proposalKindLabels: Record<ProposalKind, string> = {
  generate: "New blueprint",
  from_session: "Blueprint from a session",
  split: "Split of a node",
  explain: "Explanation",
  replan: "Replan after a failure",
};

export function proposalKindLabel(kind: ProposalKind): string {
  return proposalKindLabels[kind];
}

/** Where it stands, in a word or two. */
export function proposalStateLabel({ state }: ProposalState): string {
  switch (state) {
    case "working":
      return "Planning";
    case "ready":
      return "Waiting for you";
    case "needs_review":
      return "Needs review";
    case "accepted":
      return "Accepted";
    case "rejected":
      return "Rejected";
    case "cancelled":
      return "Cancelled";
    case "failed":
      return "Failed";
    case "expired":
      return "Expired";
  }
}

/** Whether a person can take it over now. */
export function canAccept({ kind, state, target }: ProposalSummary): boolean {
  const waits = state.state === "ready" || state.state === "needs_review";
  return kind !== "explain" && waits && !target?.moved;
}

/** Whether it is on the list of what waits only to be seen: nothing else can be done with it, or is wanted. */
export function canDismiss({ kind, state }: ProposalSummary): boolean {
  const read = kind === "explain" && state.state === "ready";
  return read || state.state === "expired" || state.state === "failed";
}

/** Whether the planner may be sent off again. */
export function canRetry({ state }: ProposalSummary): boolean {
  return ["failed", "rejected", "cancelled", "needs_review", "expired"].includes(state.state);
}

/** A change in words, nodes by their titles as the draft has them, or as they were. */
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

/** A change as a key of lists and sets. */
export function proposedChangeKey(change: ProposedChange): string {
  return JSON.stringify(change);
}

function find(plan: Plan | null, id: NodeId): Node | undefined {
  return plan?.nodes.find((node) => node.id === id);
}

function titleOf(node: Node | undefined, id: NodeId): string {
  return node?.title || node?.slug || id;
}
