import type { TranscriptsFilter, TranscriptsSort } from "@/api/bindings";

/** What a person asks of the list of sessions. It stands in the address, so that going back finds it again. */
export interface SessionsQuery {
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

export const defaultQuery: SessionsQuery = {
  text: "",
  within: "text",
  agent: undefined,
  project: undefined,
  starred: false,
  tag: undefined,
  linked: undefined,
  sort: "latest",
};

/** The query in an address; what is not understood is as if it were not there. */
export function parseSessionsQuery(address: URLSearchParams): SessionsQuery {
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
    sort: sorts.find((sort) => sort === word("sort")) ?? defaultQuery.sort,
  };
}

/** The query as an address; only what differs from the open query stands in it. */
export function toSearchParams(query: SessionsQuery): URLSearchParams {
  const { text, within, agent, project, starred, tag, linked, sort } = query;
  const words = {
    q: text,
    in: within === defaultQuery.within ? undefined : within,
    agent,
    project,
    starred: starred ? "yes" : undefined,
    tag,
    linked: linked === undefined ? undefined : linked ? "yes" : "no",
    sort: sort === defaultQuery.sort ? undefined : sort,
  };
  return new URLSearchParams(
    Object.entries(words).flatMap(([name, word]) => (word ? [[name, word]] : [])),
  );
}

/** Whether anything is left out by choice. */
export function isFiltered(query: SessionsQuery): boolean {
  return (
    toSearchParams({ ...query, sort: defaultQuery.sort, within: defaultQuery.within }).size > 0
  );
}

/** What the backend is asked. The words are a part of it only where they are looked for in titles. */
export function toTranscriptsFilter(query: SessionsQuery): TranscriptsFilter {
  const { agent, project, tag, linked, sort } = query;
  const words = query.text.trim();
  return {
    agent: agent ?? null,
    project: project ?? null,
    starred: query.starred ? true : null,
    tag: tag ?? null,
    linked: linked ?? null,
    text: query.within === "titles" && words !== "" ? words : null,
    sort,
    offset: null,
    limit: null,
  };
}

/** The words of a search in what was said: the last one may be half written. Nothing when nothing is looked for there. */
export function fullTextQuery({ text, within }: SessionsQuery): string | undefined {
  const words = text.trim();
  if (within === "titles" || words === "") return undefined;
  return /[\p{L}\p{N}_]$/u.test(text) ? `${words}*` : words;
}
