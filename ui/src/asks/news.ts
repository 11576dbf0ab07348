import type { InboxItem, RequestView, RunEnd } from "@/api/bindings";
import { asSentence } from "@/components/sentence";
import { titleWords } from "@/plan/nodeWords";
import { paths } from "@/shell/paths";
import { askWords, itemKey } from "./ask";
import { operationWords, requesterName, requestKey } from "./request";

/** Kinds of news, each of which a person may not want: what waits for them, failed runs, other ends of runs. */
export type NewsKind = "ask" | "failure" | "end";

/** Something that has just come up and that the person may want to hear of. */
export interface News {
  key: string;
  kind: NewsKind;
  title: string;
  body: string;
  /** The address that it leads to. */
  place: string;
  /** The blueprint that it is about: whoever looks at that one sees it without being told. */
  plan: string | undefined;
}

/** So many at once are told one by one; more become one word. */
const mostApart = 3;

/** What a new item of the Inbox says. */
export function newsOfItem(item: InboxItem): News {
  const { plan, planTitle, node, ask } = item;
  const blueprint = titleWords(planTitle);
  const who = node ? titleWords(node.title) : blueprint;
  return {
    key: itemKey(item),
    kind: "ask",
    title: itemTitle(ask.kind, who),
    body: node ? `${askWords(ask)} (${blueprint})` : askWords(ask),
    place: placeOf(item),
    plan,
  };
}

/** What a new request of an agent says. Only the Inbox shows it, so its blueprint is no place where it is seen anyway. */
export function newsOfRequest(request: RequestView): News {
  const about = request.planTitle ?? request.of?.planTitle;
  return {
    key: requestKey(request),
    kind: "ask",
    title: `${requesterName(request)} requests your decision`,
    body: [operationWords(request), about && `(${titleWords(about)})`].filter(Boolean).join(" "),
    place: paths.inbox,
    plan: undefined,
  };
}

function placeOf({ run, plan, ask }: InboxItem): string {
  if (ask.kind === "proposal") return paths.proposal(ask.proposal);
  return ask.kind === "stalled" || ask.kind === "takeover"
    ? paths.blueprintAt(plan, { run })
    : paths.inbox;
}

function itemTitle(kind: InboxItem["ask"]["kind"], who: string): string {
  switch (kind) {
    case "permission":
      return `${who} asks for leave`;
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
export function newsOfEnd({ run, plan, title, state, endedAt }: RunEnd): News {
  const words = { completed: "completed", cancelled: "was stopped" } as Record<string, string>;
  return {
    key: [run, "end", endedAt].join("/"),
    kind: state.state === "failed" ? "failure" : "end",
    title: `${titleWords(title)} ${words[state.state] ?? "failed"}`,
    body: state.state === "failed" ? asSentence(state.message) : "",
    place: paths.blueprintAt(plan, { run }),
    plan,
  };
}

/** The news as they are told: each, or one for all when there are many. */
export function gathered(news: readonly News[]): News[] {
  const [first] = news;
  if (first === undefined || news.length <= mostApart) return [...news];
  return [
    {
      key: first.key,
      kind: first.kind,
      title: `${news.length} things have come up`,
      body: news
        .slice(0, mostApart)
        .map(({ title }) => title)
        .join(", ")
        .concat(" and more"),
      place: paths.inbox,
      plan: undefined,
    },
  ];
}
