import type { DesktopNotifications } from "@/api/Backend";
import { setAppStateValue, useAppState } from "@/shell/appState";
import type { NotificationKind } from "./notifications";

const name = "notify";

/** The setting for system notifications, and its setter. */
export function useNotificationSetting(
  notices: DesktopNotifications | undefined,
): [boolean, (on: boolean) => void] {
  const chosen = useAppState(({ ui }) => ui[name]);
  const on = typeof chosen === "boolean" ? chosen : (notices?.onByDefault ?? false);
  return [on, (value) => setAppStateValue(name, value)];
}

const unwantedName = "unwantedNotices";

/** The kinds of system notifications that the user has turned off, and a setter for each. */
export function useMutedNotifications(): [
  ReadonlySet<NotificationKind>,
  (kind: NotificationKind, wanted: boolean) => void,
] {
  const stored = useAppState(({ ui }) => ui[unwantedName]);
  const unwanted = new Set<NotificationKind>(Array.isArray(stored) ? stored : []);
  function want(kind: NotificationKind, wanted: boolean) {
    const next = new Set(unwanted);
    if (wanted) next.delete(kind);
    else next.add(kind);
    setAppStateValue(unwantedName, [...next].sort());
  }
  return [unwanted, want];
}
