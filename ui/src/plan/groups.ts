import type { Color, Group, GroupId, NodeId, Plan } from "@/api/bindings";

/**
 * Operations on the groups of a plan, as pure functions. A node is in at most one group, and empty
 * groups are removed.
 */

/** The canvas colors, in menu order. */
export const colors = [
  "gray",
  "blue",
  "teal",
  "green",
  "yellow",
  "red",
  "purple",
] as const satisfies readonly Color[];

/** The name of a color with a capital letter. */
export function colorLabel(color: Color): string {
  return `${color.charAt(0).toUpperCase()}${color.slice(1)}`;
}

/** The title of a group until it is renamed. */
const blankGroupTitle = "Group";

export function groupOf(plan: Plan, node: NodeId): Group | undefined {
  return plan.groups.find((group) => group.nodes.includes(node));
}

/** The groups that contain any of these nodes. */
export function groupsOf(plan: Plan, ids: ReadonlySet<NodeId>): Group[] {
  return plan.groups.filter((group) => group.nodes.some((id) => ids.has(id)));
}

/** Moves nodes into a new group. Without nodes, nothing changes. */
export function makeGroup(plan: Plan, id: GroupId, ids: ReadonlySet<NodeId>): Plan {
  const nodes = plan.nodes.map((node) => node.id).filter((node) => ids.has(node));
  if (nodes.length === 0) return plan;
  const group: Group = { id, title: blankGroupTitle, color: "gray", nodes };
  return { ...plan, groups: [...withoutMembers(plan.groups, ids), group] };
}

/** Removes groups and keeps their nodes. */
export function dissolveGroups(plan: Plan, ids: ReadonlySet<GroupId>): Plan {
  const groups = plan.groups.filter((group) => !ids.has(group.id));
  return groups.length === plan.groups.length ? plan : { ...plan, groups };
}

/** Moves nodes into a group, or out of their groups when `to` is undefined. */
export function moveToGroup(plan: Plan, ids: ReadonlySet<NodeId>, to: GroupId | undefined): Plan {
  const moving = [...ids].filter((id) => groupOf(plan, id)?.id !== to);
  if (moving.length === 0) return plan;
  const joined = plan.groups.map((group) =>
    group.id === to ? { ...group, nodes: [...group.nodes, ...moving] } : group,
  );
  const elsewhere = new Set(moving);
  const groups = joined.flatMap((group) =>
    group.id === to ? [group] : withoutMembers([group], elsewhere),
  );
  return { ...plan, groups };
}

/** Renames a group. An empty or unchanged title changes nothing. Line breaks become spaces. */
export function renameGroup(plan: Plan, id: GroupId, title: string): Plan {
  const line = title.replace(/\s+/g, " ").trim();
  return changeGroup(plan, id, (group) =>
    line === "" || line === group.title ? group : { ...group, title: line },
  );
}

export function colorGroup(plan: Plan, id: GroupId, color: Color): Plan {
  return changeGroup(plan, id, (group) => (group.color === color ? group : { ...group, color }));
}

function changeGroup(plan: Plan, id: GroupId, change: (group: Group) => Group): Plan {
  const groups = plan.groups.map((group) => (group.id === id ? change(group) : group));
  return groups.every((group, at) => group === plan.groups[at]) ? plan : { ...plan, groups };
}

/** The groups without these nodes. Groups that don't change keep their identity. */
export function withoutMembers(groups: Group[], ids: ReadonlySet<NodeId>): Group[] {
  if (!groups.some((group) => group.nodes.some((id) => ids.has(id)))) return groups;
  return groups.flatMap((group) => {
    const nodes = group.nodes.filter((id) => !ids.has(id));
    if (nodes.length === group.nodes.length) return [group];
    return nodes.length === 0 ? [] : [{ ...group, nodes }];
  });
}
