import type { GroupId } from "@/api/bindings";
import { getAppStateValue, setAppStateValue } from "@/shell/appState";

/** Which groups are collapsed: state of this user's window, not part of the plan or of undo. */

const name = "collapsedGroups";
/** Bounds the list, because ids of deleted groups stay in it. The oldest entries are dropped. */
const maxStoredGroups = 500;

export function restoreCollapsedGroups(): ReadonlySet<GroupId> {
  const value = getAppStateValue(name);
  return new Set(Array.isArray(value) ? value.filter((id) => typeof id === "string") : []);
}

export function storeCollapsedGroups(ids: ReadonlySet<GroupId>): void {
  setAppStateValue(name, [...ids].slice(-maxStoredGroups));
}
