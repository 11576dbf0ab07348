import type {
  Conflict,
  InboxItem,
  InboxRequest,
  NodeId,
  NodeRunView,
  NodeState,
  ProposalKind,
  RunId,
  SessionId,
} from "@/api/bindings";
import { describeActor } from "@/components/actor";
import { toSentence } from "@/components/toSentence";
import { displayTitle } from "@/plan/nodeText";

/** Describes a conflict in one line: "Parse and Print conflict in a.rs, b.rs". */
function describeConflict({ ours, theirs, files }: Conflict): string {
  const [first, second, ...more] = files.map(({ path }) => path);
  const named = [first, second].filter(Boolean).join(", ");
  const rest = more.length > 0 ? ` and ${more.length} more` : "";
  return `${displayTitle(ours)} and ${displayTitle(theirs)} conflict in ${named}${rest}`;
}

/** A question about a run or one of its nodes, in the Inbox or the inspector. */
export interface PendingItem {
  run: RunId;
  /** Null for questions about the whole run. */
  node: NodeId | null;
  /** The title of the node, or of the blueprint. */
  title: string;
  session: SessionId | null;
  ask: InboxRequest;
}

/** Converts an item of the Inbox. */
export function pendingItemFromInbox({ run, node, planTitle, ask }: InboxItem): PendingItem {
  const title = displayTitle(node?.title ?? planTitle);
  return { run, node: node?.id ?? null, title, session: node?.session ?? null, ask };
}

/**
 * Returns what a node asks, if anything. `listed` are the items of the Inbox, which have more
 * details.
 */
export function pendingItemForNode(
  run: RunId,
  nodeRun: NodeRunView | undefined,
  title: string,
  listed: readonly InboxItem[] = [],
): PendingItem | undefined {
  const state = nodeRun && pendingAskOf(nodeRun.state);
  if (!state) return undefined;
  const { node, session } = nodeRun;
  const item = listed.find((each) => each.run === run && each.node?.id === node);
  const ask = item?.ask.kind === state.kind && state.kind === "interrupted" ? item.ask : state;
  return { run, node, title: displayTitle(title), session, ask };
}

function pendingAskOf(state: NodeState): InboxRequest | undefined {
  if (state.state === "interrupted") {
    return { kind: "interrupted", detail: state.detail, canResume: false };
  }
  if (state.state !== "waiting") return undefined;
  const { for: what } = state;
  switch (what.kind) {
    case "person":
      return {
        kind: "permission",
        question: what.question,
        request: what.request,
        call: what.call,
      };
    case "approval":
    case "input":
    case "merge":
      return what;
    case "slot":
    case "retry_at":
    case "limit_until":
      return undefined;
  }
}

/** Returns a key that differs between successive questions of a node. */
export function pendingItemKey({ node, ask }: PendingItem): string {
  const which =
    ask.kind === "permission"
      ? ask.request
      : ask.kind === "input"
        ? ask.question
        : ask.kind === "merge"
          ? ask.conflict.id
          : "";
  return [node ?? "", ask.kind, which].join("/");
}

/** Describes the question in one line. */
export function describeAsk(ask: InboxRequest): string {
  switch (ask.kind) {
    case "permission":
    case "approval":
    case "input":
      return ask.question.replace(/\s+/g, " ").trim() || "Empty question";
    case "merge":
      return describeConflict(ask.conflict);
    case "interrupted":
      return toSentence(ask.detail);
    case "stalled":
    case "takeover":
      return toSentence(ask.message);
    case "handler_not_started":
      return `${toSentence(ask.message)} ${toSentence(ask.fix)}`;
    case "plan_review":
      if (ask.needsReview) return "Rejected three times and needs your review";
      return ask.submittedBy === null
        ? "Submitted for review"
        : `${describeActor(ask.submittedBy).who} submitted a blueprint for review`;
    case "proposal":
      return `${ask.author} ${proposalPhrases[ask.what]}`;
  }
}

const proposalPhrases: Record<ProposalKind, string> = {
  generate: "proposes a plan",
  from_session: "proposes a plan from a session",
  split: "proposes splitting a node",
  fill: "proposes nodes for a blueprint",
  replan: "proposes a new version after a failed run",
  explain: "wrote an explanation",
  submitted: "submitted a blueprint",
};

/** Returns a unique key of an item. It changes when a node asks again. */
export function inboxItemKey({ run, node, since, ask }: InboxItem): string {
  const which =
    ask.kind === "permission" ? ask.request : ask.kind === "proposal" ? ask.proposal : "";
  return [run, node?.id ?? "", ask.kind, which, since].join("/");
}

/** Items of one kind, longest waiting first. */
export interface InboxGroup {
  kind: InboxRequest["kind"];
  title: string;
  items: InboxItem[];
}

// Proposals have a separate list, which also contains those still in progress.
const titles: [InboxRequest["kind"], string][] = [
  ["permission", "Permission requests"],
  ["input", "Questions"],
  ["merge", "Conflicts"],
  ["approval", "Approvals"],
  ["plan_review", "Blueprints to review"],
  ["interrupted", "Interrupted nodes"],
  ["takeover", "Takeovers to review"],
  ["stalled", "Stalled runs"],
  ["handler_not_started", "Error handlers that did not start"],
];

/** Groups items by kind: first those that block a live session, then nodes, then runs. */
export function groupInboxItems(items: readonly InboxItem[]): InboxGroup[] {
  const groups = titles.map(([kind, title]) => ({
    kind,
    title,
    items: items.filter(({ ask }) => ask.kind === kind),
  }));
  return groups.filter((group) => group.items.length > 0);
}
