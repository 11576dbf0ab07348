import type { TranscriptsFilter, TranscriptsSort } from "@/api/bindings";

/** What a person asks of the list of sessions. It stands in the address, so that going back finds it again. */
export interface SessionsWish {
  /** Words to look for; empty for all sessions. */
  text: string;
  /** Whether the words are looked for in what was said, or in titles, directories and branches only. */
  within: "text" | "titles";
  agent: string | undefined;
  project: string | undefined;
  starred: boolean;
  tag: string | undefined;
  /** Only those of a node, or only those of none. */
  linked: boolean | undefined;
  sort: TranscriptsSort;
}

const sorts: readonly TranscriptsSort[] = [
  "latest",
  "oldest",
  "longest",
  "messages",
  "tokens",
  "cost",
  "size",
  "title",
];

export const openWish: SessionsWish = {
  text: "",
  within: "text",
  agent: undefined,
  project: undefined,
  starred: false,
  tag: undefined,
  linked: undefined,
  sort: "latest",
};

/** The wish in an address; what is not understood is as if it were not there. */
export function wishIn(address: URLSearchParams): SessionsWish {
  const word = (name: string) => address.get(name) || undefined;
  const linked = word("linked");
  return {
    text: address.get("q") ?? "",
    within: word("in") === "titles" ? "titles" : "text",
    agent: word("agent"),
    project: word("project"),
    starred: word("starred") === "yes",
    tag: word("tag"),
    linked: linked === "yes" ? true : linked === "no" ? false : undefined,
    sort: sorts.find((sort) => sort === word("sort")) ?? openWish.sort,
  };
}

/** The wish as an address; only what differs from the open wish stands in it. */
export function addressOf(wish: SessionsWish): URLSearchParams {
  const { text, within, agent, project, starred, tag, linked, sort } = wish;
  const words = {
    q: text,
    in: within === openWish.within ? undefined : within,
    agent,
    project,
    starred: starred ? "yes" : undefined,
    tag,
    linked: linked === undefined ? undefined : linked ? "yes" : "no",
    sort: sort === openWish.sort ? undefined : sort,
  };
  return new URLSearchParams(
    Object.entries(words).flatMap(([name, word]) => (word ? [[name, word]] : [])),
  );
}

/** Whether anything is left out by choice. */
export function isNarrowed(wish: SessionsWish): boolean {
  return addressOf({ ...wish, sort: openWish.sort, within: openWish.within }).size > 0;
}

/** What the backend is asked. The words are a part of it only where they are looked for in titles. */
export function filterOf(wish: SessionsWish): TranscriptsFilter {
  const { agent, project, tag, linked, sort } = wish;
  const words = wish.text.trim();
  return {
    agent: agent ?? null,
    project: project ?? null,
    starred: wish.starred ? true : null,
    tag: tag ?? null,
    linked: linked ?? null,
    text: wish.within === "titles" && words !== "" ? words : null,
    sort,
    offset: null,
    limit: null,
  };
}

/** The words of a search in what was said: the last one may be half written. Nothing when nothing is looked for there. */
export function searchWords({ text, within }: SessionsWish): string | undefined {
  const words = text.trim();
  if (within === "titles" || words === "") return undefined;
  return /[\p{L}\p{N}_]$/u.test(text) ? `${words}*` : words;
}
