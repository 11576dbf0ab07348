import type { GroupId } from "@/api/bindings";
import { getAppStateValue, setAppStateValue } from "@/shell/appState";

/** Which groups this person sees collapsed: how a window looks, outside of plans and of undo. */

const name = "collapsedGroups";
/** The ones collapsed longest ago are forgotten: groups that are gone leave their ids here. */
const maxStoredGroups = 500;

export function restoreCollapsedGroups(): ReadonlySet<GroupId> {
  const value = getAppStateValue(name);
  return new Set(Array.isArray(value) ? value.filter((id) => typeof id === "string") : []);
}

export function storeCollapsedGroups(ids: ReadonlySet<GroupId>): void {
  setAppStateValue(name, [...ids].slice(-maxStoredGroups));
}
