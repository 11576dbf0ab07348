import type { TranscriptsFilter, TranscriptsSort } from "@/api/bindings";

/**
 * Search, filters and sort of the list of sessions. Stored in the URL, so that going back restores
 * it.
 */
export interface SessionsQuery {
  /** The search text; empty for all sessions. */
  text: string;
  /** Searches the messages, or only titles, directories and branches. */
  within: "text" | "titles";
  agent: string | undefined;
  project: string | undefined;
  starred: boolean;
  tag: string | undefined;
  /** True: only sessions of nodes. False: only other sessions. */
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

/** Parses the query from the URL. Invalid values are ignored. */
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

/** Returns the search parameters of a query. Default values are omitted. */
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

/** Returns whether the query may exclude any session. */
export function isFiltered(query: SessionsQuery): boolean {
  return (
    toSearchParams({ ...query, sort: defaultQuery.sort, within: defaultQuery.within }).size > 0
  );
}

/**
 * Converts the query to the filter of the backend. Contains the search text only when searching
 * titles.
 */
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

/**
 * Returns the full-text search, in which the last word may be incomplete, or `undefined` without
 * one.
 */
export function fullTextQuery({ text, within }: SessionsQuery): string | undefined {
  const words = text.trim();
  if (within === "titles" || words === "") return undefined;
  return /[\p{L}\p{N}_]$/u.test(text) ? `${words}*` : words;
}
