import type { GroupId } from "@/api/bindings";
import { remember, remembered } from "@/shell/appState";

/** Which groups this person sees collapsed: how a window looks, outside of plans and of undo. */

const name = "collapsedGroups";
/** The ones collapsed longest ago are forgotten: groups that are gone leave their ids here. */
const mostKept = 500;

export function rememberedGroups(): ReadonlySet<GroupId> {
  const value = remembered(name);
  return new Set(Array.isArray(value) ? value.filter((id) => typeof id === "string") : []);
}

export function rememberGroups(ids: ReadonlySet<GroupId>): void {
  remember(name, [...ids].slice(-mostKept));
}
