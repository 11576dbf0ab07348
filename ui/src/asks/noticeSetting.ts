import type { Notices } from "@/api/Backend";
import { remember, useAppState } from "@/shell/appState";
import type { NewsKind } from "./news";

const name = "notify";

/** Whether the person wants notices outside the page, and how they say so. */
export function useNoticeSetting(notices: Notices | undefined): [boolean, (on: boolean) => void] {
  const chosen = useAppState(({ ui }) => ui[name]);
  const on = typeof chosen === "boolean" ? chosen : (notices?.onByDefault ?? false);
  return [on, (wish) => remember(name, wish)];
}

const unwantedName = "unwantedNotices";

/** The kinds of news that the person does not want to hear of outside the page, and how they say so. */
export function useUnwantedNews(): [
  ReadonlySet<NewsKind>,
  (kind: NewsKind, wanted: boolean) => void,
] {
  const stored = useAppState(({ ui }) => ui[unwantedName]);
  const unwanted = new Set<NewsKind>(Array.isArray(stored) ? stored : []);
  function want(kind: NewsKind, wanted: boolean) {
    const next = new Set(unwanted);
    if (wanted) next.delete(kind);
    else next.add(kind);
    remember(unwantedName, [...next].sort());
  }
  return [unwanted, want];
}
