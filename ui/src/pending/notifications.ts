import type { EndedRunView, InboxItem, RequestView } from "@/api/bindings";
import { toSentence } from "@/components/toSentence";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import { describeOperation, requesterName, requestKey } from "./agentRequest";
import { describeAsk, inboxItemKey } from "./pendingItem";

/**
 * Kinds of notifications that can be turned off: items to answer, failed runs, other ends of runs.
 */
export type NotificationKind = "ask" | "failure" | "end";

/** An event to notify the user about. */
export interface AppNotification {
  key: string;
  kind: NotificationKind;
  title: string;
  body: string;
  /** The path to open on click. */
  path: string;
  /** The blueprint concerned. While its page is open, no notification is shown. */
  plan: string | undefined;
}

/** Up to this many notifications are shown separately; more are grouped into one. */
const maxSeparate = 3;

/** Makes the notification for a new item of the Inbox. */
export function notificationForItem(item: InboxItem): AppNotification {
  const { plan, planTitle, node, ask } = item;
  const blueprint = displayTitle(planTitle);
  const who = node ? displayTitle(node.title) : blueprint;
  return {
    key: inboxItemKey(item),
    kind: "ask",
    title: itemTitle(ask.kind, who),
    body: node ? `${describeAsk(ask)} (${blueprint})` : describeAsk(ask),
    path: notificationPath(item),
    plan,
  };
}

/**
 * Makes the notification for a new agent request. Has no `plan`, because only the Inbox shows
 * requests.
 */
export function notificationForRequest(request: RequestView): AppNotification {
  const about = request.planTitle ?? request.of?.planTitle;
  return {
    key: requestKey(request),
    kind: "ask",
    title: `${requesterName(request)} needs your decision`,
    body: [describeOperation(request), about && `(${displayTitle(about)})`]
      .filter(Boolean)
      .join(" "),
    path: paths.inbox,
    plan: undefined,
  };
}

function notificationPath({ run, plan, ask }: InboxItem): string {
  if (ask.kind === "proposal") return paths.proposal(ask.proposal);
  if (ask.kind === "plan_review") return paths.blueprint(plan);
  return ["stalled", "takeover", "handler_not_started"].includes(ask.kind)
    ? paths.blueprintAt(plan, { run })
    : paths.inbox;
}

function itemTitle(kind: InboxItem["ask"]["kind"], who: string): string {
  switch (kind) {
    case "permission":
      return `${who} asks for permission`;
    case "approval":
      return `${who} needs your approval`;
    case "merge":
      return `${who} has a conflict to resolve`;
    case "input":
      return `${who} has a question`;
    case "interrupted":
      return `${who} was interrupted`;
    case "stalled":
      return `${who} is stalled`;
    case "handler_not_started":
      return `The error handler of ${who} did not start`;
    case "takeover":
      return `${who} was taken over and needs your review`;
    case "plan_review":
      return `${who} waits for your review`;
    case "proposal":
      return `Proposal for ${who}`;
  }
}

/** Makes the notification for the end of a run. */
export function notificationForRunEnd({
  run,
  plan,
  title,
  state,
  endedAt,
}: EndedRunView): AppNotification {
  const words = { completed: "completed", cancelled: "was stopped" } as Record<string, string>;
  return {
    key: [run, "end", endedAt].join("/"),
    kind: state.state === "failed" ? "failure" : "end",
    title: `${displayTitle(title)} ${words[state.state] ?? "failed"}`,
    body: state.state === "failed" ? toSentence(state.message) : "",
    path: paths.blueprintAt(plan, { run }),
    plan,
  };
}

/** Returns the notifications to show: all of them, or a single one if there are too many. */
export function groupNotifications(news: readonly AppNotification[]): AppNotification[] {
  const [first] = news;
  if (first === undefined || news.length <= maxSeparate) return [...news];
  return [
    {
      key: first.key,
      kind: first.kind,
      title: `${news.length} new notifications`,
      body: news
        .slice(0, maxSeparate)
        .map(({ title }) => title)
        .join(", ")
        .concat(" and more"),
      path: paths.inbox,
      plan: undefined,
    },
  ];
}
