import type { EndedRunView, InboxItem, RequestView } from "@/api/bindings";
import { toSentence } from "@/components/toSentence";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import { describeOperation, requesterName, requestKey } from "./agentRequest";
import { describeAsk, inboxItemKey } from "./pendingItem";

/** Kinds of news, each of which a person may not want: what waits for them, failed runs, other ends of runs. */
export type NotificationKind = "ask" | "failure" | "end";

/** Something that has just come up and that the person may want to hear of. */
export interface AppNotification {
  key: string;
  kind: NotificationKind;
  title: string;
  body: string;
  /** The address that it leads to. */
  path: string;
  /** The blueprint that it is about: whoever looks at that one sees it without being told. */
  plan: string | undefined;
}

/** So many at once are told one by one; more become one word. */
const maxSeparate = 3;

/** What a new item of the Inbox says. */
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

/** What a new request of an agent says. Only the Inbox shows it, so its blueprint is no place where it is seen anyway. */
export function notificationForRequest(request: RequestView): AppNotification {
  const about = request.planTitle ?? request.of?.planTitle;
  return {
    key: requestKey(request),
    kind: "ask",
    title: `${requesterName(request)} requests your decision`,
    body: [describeOperation(request), about && `(${displayTitle(about)})`]
      .filter(Boolean)
      .join(" "),
    path: paths.inbox,
    plan: undefined,
  };
}

function notificationPath({ run, plan, ask }: InboxItem): string {
  if (ask.kind === "proposal") return paths.proposal(ask.proposal);
  return ask.kind === "stalled" || ask.kind === "takeover"
    ? paths.blueprintAt(plan, { run })
    : paths.inbox;
}

function itemTitle(kind: InboxItem["ask"]["kind"], who: string): string {
  switch (kind) {
    case "permission":
      return `${who} asks for permission`;
    case "approval":
      return `${who} waits for your approval`;
    case "merge":
      return `${who} waits for a conflict to be settled`;
    case "input":
      return `${who} asks you`;
    case "interrupted":
      return `${who} was interrupted`;
    case "stalled":
      return `${who} cannot go on`;
    case "takeover":
      return `${who} was taken over and waits for your review`;
    case "proposal":
      return `${who} is proposed`;
  }
}

/** What the end of a run says. */
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

/** The news as they are told: each, or one for all when there are many. */
export function groupNotifications(news: readonly AppNotification[]): AppNotification[] {
  const [first] = news;
  if (first === undefined || news.length <= maxSeparate) return [...news];
  return [
    {
      key: first.key,
      kind: first.kind,
      title: `${news.length} things have come up`,
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
