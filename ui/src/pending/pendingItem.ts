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
import { toSentence } from "@/components/toSentence";
import { displayTitle } from "@/plan/nodeText";

/** A conflict in one line: "Parse and Print do not fit together in a.rs, b.rs". */
function describeConflict({ ours, theirs, files }: Conflict): string {
  const [first, second, ...more] = files.map(({ path }) => path);
  const named = [first, second].filter(Boolean).join(", ");
  const rest = more.length > 0 ? ` and ${more.length} more` : "";
  return `${displayTitle(ours)} and ${displayTitle(theirs)} do not fit together in ${named}${rest}`;
}

/** What is asked about a run or a node of it, wherever it is shown. */
export interface PendingItem {
  run: RunId;
  /** None: about the run as a whole. */
  node: NodeId | null;
  /** The node's title, or the blueprint's. */
  title: string;
  session: SessionId | null;
  ask: InboxRequest;
}

/** What an item of the Inbox asks. */
export function pendingItemFromInbox({ run, node, planTitle, ask }: InboxItem): PendingItem {
  const title = displayTitle(node?.title ?? planTitle);
  return { run, node: node?.id ?? null, title, session: node?.session ?? null, ask };
}

/** What a node of the run that is looked at asks, if it does. `listed` are the items of the Inbox, which know more. */
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

/** What tells the question of a node from its next one. */
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

/** The question in one line. */
export function describeAsk(ask: InboxRequest): string {
  switch (ask.kind) {
    case "permission":
    case "approval":
    case "input":
      return ask.question.replace(/\s+/g, " ").trim() || "It asks without words";
    case "merge":
      return describeConflict(ask.conflict);
    case "interrupted":
      return toSentence(ask.detail);
    case "stalled":
    case "takeover":
      return toSentence(ask.message);
    case "proposal":
      return `${ask.author} proposes ${proposed[ask.what]}`;
  }
}

const proposed: Record<ProposalKind, string> = {
  generate: "a plan",
  from_session: "a plan from a session",
  split: "several nodes for one",
  replan: "another plan after a run that failed",
  explain: "an explanation",
};

/** What tells one item from all others, also after it was answered and asks again. */
export function inboxItemKey({ run, node, since, ask }: InboxItem): string {
  const which =
    ask.kind === "permission" ? ask.request : ask.kind === "proposal" ? ask.proposal : "";
  return [run, node?.id ?? "", ask.kind, which, since].join("/");
}

/** Items of one kind, what waits longest first. */
export interface InboxGroup {
  kind: InboxRequest["kind"];
  title: string;
  items: InboxItem[];
}

// Proposals have a list of their own, in which those that are still being made stand too.
const titles: [InboxRequest["kind"], string][] = [
  ["permission", "Permission requests"],
  ["input", "Questions"],
  ["merge", "Conflicts"],
  ["approval", "Approvals"],
  ["interrupted", "Interrupted nodes"],
  ["takeover", "Takeovers to review"],
  ["stalled", "Stalled runs"],
];

/** What holds up a living session first, then what holds up nodes, then runs. */
export function groupInboxItems(items: readonly InboxItem[]): InboxGroup[] {
  const groups = titles.map(([kind, title]) => ({
    kind,
    title,
    items: items.filter(({ ask }) => ask.kind === kind),
  }));
  return groups.filter((group) => group.items.length > 0);
}
