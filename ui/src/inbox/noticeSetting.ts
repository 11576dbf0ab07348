import type { Notices } from "@/api/Backend";
import { remember, useAppState } from "@/app/appState";

const name = "notify";

/** Whether the person wants notices outside the page, and how they say so. */
export function useNoticeSetting(notices: Notices | undefined): [boolean, (on: boolean) => void] {
  const chosen = useAppState(({ ui }) => ui[name]);
  const on = typeof chosen === "boolean" ? chosen : (notices?.onByDefault ?? false);
  return [on, (wish) => remember(name, wish)];
}
