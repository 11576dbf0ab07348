import type { Edge, Node, NodeId, Plan, PlanDiff } from "@/api/bindings";
import { conditionalEdgesIn, type EdgeCondition } from "@/plan/conditionalEdges";

/** One difference between two versions. Pure. */
export type Change =
  | { kind: "plan"; fields: FieldChange[] }
  | { kind: "added" | "removed"; node: Node }
  | { kind: "changed"; node: Node; fields: FieldChange[] }
  | { kind: "edge"; verb: "added" | "removed" | "changed"; words: string; nodes: NodeId[] };

/** One field of a node or of the plan, before and after, as text. */
export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/**
 * Returns the changes between two versions: plan, then nodes in the order of the later version,
 * then edges.
 */
export function changesBetween(earlier: Plan, later: Plan, diff: PlanDiff): Change[] {
  const before = new Map(earlier.nodes.map((node) => [node.id, node]));
  const after = new Map(later.nodes.map((node) => [node.id, node]));
  const titles = new Map(
    [...earlier.nodes, ...later.nodes].map((node) => [node.id, titleOf(node)]),
  );
  const frame = [
    ...(diff.planChanged ? planFields(earlier, later) : []),
    ...(diff.groupsChanged ? [groupField(earlier, later, titles)] : []),
  ];
  const plan: Change[] = frame.length > 0 ? [{ kind: "plan", fields: frame }] : [];
  const isAdded = new Set(diff.nodesAdded);
  const isChanged = new Set(diff.nodesChanged);
  const nodes = later.nodes.flatMap((node): Change[] => {
    if (isAdded.has(node.id)) return [{ kind: "added", node }];
    const old = before.get(node.id);
    if (!old || !isChanged.has(node.id)) return [];
    return [{ kind: "changed", node, fields: nodeFields(old, node, titles) }];
  });
  const removed = diff.nodesRemoved.flatMap((id): Change[] => {
    const node = before.get(id);
    return node && !after.has(id) ? [{ kind: "removed", node }] : [];
  });
  return [...plan, ...nodes, ...removed, ...edgeChanges(earlier, later, titles)];
}

/** Returns the nodes that a change affects. */
export function changedNodes(change: Change): NodeId[] {
  if (change.kind === "plan") return [];
  return change.kind === "edge" ? change.nodes : [change.node.id];
}

export function titleOf({ title, slug }: Pick<Node, "title" | "slug">): string {
  return title || slug;
}

// Positions are layout, and internal IDs are of no interest to readers.
const ignoredKeys = new Set(["id", "position", "keepsPlace"]);

function nodeFields(before: Node, after: Node, titles: ReadonlyMap<NodeId, string>): FieldChange[] {
  const { kind: oldKind, ...oldRest } = before;
  const { kind: newKind, ...newRest } = after;
  const name = (value: unknown) => formatValue(value, titles);
  return [
    ...diffFields({ ...oldRest }, { ...newRest }, name),
    ...diffFields({ ...oldKind }, { ...newKind }, name),
  ];
}

function planFields(before: Plan, after: Plan): FieldChange[] {
  const { nodes: _, edges: __, groups: ___, settings: oldSettings, ...old } = before;
  const { nodes: ____, edges: _____, groups: ______, settings, ...rest } = after;
  const name = (value: unknown) => formatValue(value, new Map());
  const all = [
    ...diffFields({ ...old }, { ...rest }, name),
    ...diffFields({ ...oldSettings }, { ...settings }, name),
  ];
  return all.length > 0 ? all : [{ field: "node order", before: "", after: "" }];
}

function groupField(before: Plan, after: Plan, titles: ReadonlyMap<NodeId, string>): FieldChange {
  const describe = ({ groups }: Plan) =>
    groups
      .map(({ title, nodes }) => `${title}: ${nodes.map((id) => titles.get(id) ?? "").join(", ")}`)
      .join("\n") || "none";
  return { field: "groups", before: describe(before), after: describe(after) };
}

type Json = Record<string, unknown>;

function diffFields(before: Json, after: Json, name: (value: unknown) => string): FieldChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .filter(
      (key) => !ignoredKeys.has(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
    )
    .map((key) => ({ field: fieldLabel(key), before: name(before[key]), after: name(after[key]) }))
    .filter((change) => change.before !== change.after);
}

/** Turns `acceptanceCriteria` into "acceptance criteria". */
function fieldLabel(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Formats a value for people, with node titles in place of IDs. */
function formatValue(value: unknown, titles: ReadonlyMap<NodeId, string>): string {
  if (value === undefined || value === null || value === "") return "none";
  if (typeof value === "string") return titles.get(value) ?? value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value))
    return value.length === 0 ? "none" : value.map((item) => formatValue(item, titles)).join("\n");
  if (typeof value === "object") {
    const entries = Object.entries(value).filter(([, part]) => part !== null);
    if (entries.length === 0) return "none";
    return entries
      .map(([key, part]) => `${fieldLabel(key)}: ${formatValue(part, titles)}`)
      .join("\n");
  }
  return String(value);
}

function edgeChanges(earlier: Plan, later: Plan, titles: ReadonlyMap<NodeId, string>): Change[] {
  const lineOf = (link: EdgeOrCondition) => {
    const arrow = `${titles.get(link.parent) ?? ""} → ${titles.get(link.child) ?? ""}`;
    return link.condition ? `${arrow} (${conditionPhrases[link.condition]})` : arrow;
  };
  const [before, after] = [linksByKey(earlier), linksByKey(later)];
  const change = (
    verb: "added" | "removed" | "changed",
    link: EdgeOrCondition,
    more = "",
  ): Change => {
    const soft = link.soft && verb !== "changed" ? " (soft)" : "";
    const nodes = [link.parent, link.child];
    return { kind: "edge", verb, words: `${lineOf(link)}${soft}${more}`, nodes };
  };
  const now = [...after].flatMap(([key, link]): Change[] => {
    const old = before.get(key);
    if (!old) return [change("added", link)];
    if (old.soft === link.soft) return [];
    return [change("changed", link, link.soft ? ": hard → soft" : ": soft → hard")];
  });
  const gone = [...before].filter(([key]) => !after.has(key));
  return [...now, ...gone.map(([, link]) => change("removed", link))];
}

type EdgeOrCondition = Edge & { condition?: EdgeCondition | undefined };

const conditionPhrases: Record<EdgeCondition, string> = {
  true: "true",
  false: "false",
  success: "on success",
  failure: "on failure",
};

function linksByKey(plan: Plan): Map<string, EdgeOrCondition> {
  const key = ({ parent, child, condition }: EdgeOrCondition) =>
    `${parent} ${child} ${condition ?? ""}`;
  const ways = conditionalEdgesIn(plan).map(({ kind, parent, child }) => ({
    parent,
    child,
    soft: false,
    condition: kind,
  }));
  return new Map([...plan.edges, ...ways].map((link: EdgeOrCondition) => [key(link), link]));
}
