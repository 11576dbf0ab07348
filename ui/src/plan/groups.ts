import type { Color, Group, GroupId, NodeId, Plan } from "@/api/bindings";

/** The groups of a plan as pure functions. A node is in one group at most, and a group that nobody is in is gone. */

/** The colors of the canvas, in the order in which they are offered. */
export const colors = [
  "grey",
  "blue",
  "teal",
  "green",
  "yellow",
  "red",
  "purple",
] as const satisfies readonly Color[];

/** The name of a color at the beginning of a line. */
export function colorLabel(colour: Color): string {
  return `${colour.charAt(0).toUpperCase()}${colour.slice(1)}`;
}

/** What a group is called before somebody names it. */
const blankGroupTitle = "Group";

/** The group that a node is in. */
export function groupOf(plan: Plan, node: NodeId): Group | undefined {
  return plan.groups.find((group) => group.nodes.includes(node));
}

/** The groups that any of these nodes is in. */
export function groupsOf(plan: Plan, ids: ReadonlySet<NodeId>): Group[] {
  return plan.groups.filter((group) => group.nodes.some((id) => ids.has(id)));
}

/** Puts nodes into a new group, out of those that they were in. Without nodes nothing changes. */
export function makeGroup(plan: Plan, id: GroupId, ids: ReadonlySet<NodeId>): Plan {
  const nodes = plan.nodes.map((node) => node.id).filter((node) => ids.has(node));
  if (nodes.length === 0) return plan;
  const group: Group = { id, title: blankGroupTitle, colour: "grey", nodes };
  return { ...plan, groups: [...withoutMembers(plan.groups, ids), group] };
}

/** Takes groups away; their nodes stay. */
export function dissolveGroups(plan: Plan, ids: ReadonlySet<GroupId>): Plan {
  const groups = plan.groups.filter((group) => !ids.has(group.id));
  return groups.length === plan.groups.length ? plan : { ...plan, groups };
}

/** Puts nodes into a group, or into none. */
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

/** Renames; an empty or unchanged title changes nothing. Line breaks become spaces. */
export function renameGroup(plan: Plan, id: GroupId, title: string): Plan {
  const line = title.replace(/\s+/g, " ").trim();
  return changeGroup(plan, id, (group) =>
    line === "" || line === group.title ? group : { ...group, title: line },
  );
}

export function colorGroup(plan: Plan, id: GroupId, colour: Color): Plan {
  return changeGroup(plan, id, (group) => (group.colour === colour ? group : { ...group, colour }));
}

function changeGroup(plan: Plan, id: GroupId, change: (group: Group) => Group): Plan {
  const groups = plan.groups.map((group) => (group.id === id ? change(group) : group));
  return groups.every((group, at) => group === plan.groups[at]) ? plan : { ...plan, groups };
}

/** The groups without some nodes. Those that nothing changes in keep their identity. */
export function withoutMembers(groups: Group[], ids: ReadonlySet<NodeId>): Group[] {
  if (!groups.some((group) => group.nodes.some((id) => ids.has(id)))) return groups;
  return groups.flatMap((group) => {
    const nodes = group.nodes.filter((id) => !ids.has(id));
    if (nodes.length === group.nodes.length) return [group];
    return nodes.length === 0 ? [] : [{ ...group, nodes }];
  });
}
