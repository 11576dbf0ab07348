import type { Node as FlowNodeOf } from "@xyflow/react";
import type {
  Node,
  NodeId,
  NodeRunView,
  Direction as Reading,
  TriggerRule,
  Usage,
} from "@/api/bindings";
import { formatCost, formatTokens } from "@/components/formatUsage";
import type { NodeStateAppearance } from "@/components/nodeState";
import { workedDuration, workTimeTitle } from "@/components/workTime";
import { targetOf } from "@/plan/conditionalEdges";
import { handlesOf } from "@/plan/handles";
import { inactiveSince, inactivityThreshold } from "@/plan/inactivity";
import { kindSummary, type PlanTitles, subPlanIdOf } from "@/plan/kindSummary";
import { displayTitle, nodeLabel, nodeStateAppearance, runReason } from "@/plan/nodeText";
import type { CriticalPath } from "@/plan/usePlanTiming";
import type { ShownRun } from "@/run/runAtMoment";
import { runsByNode } from "@/run/runsByNode";
import { collapsedGroupOf, collapsedGroupSize } from "./collapseGroups";
import type { RenderedElements } from "./renderedElements";
import { rectangleOf, type Scene } from "./scene";
import { type PlanEdge, toEdges } from "./toEdges";

/** What a node card shows. Plain data, so that a card needs no lookups. */
export interface CardData extends Record<string, unknown> {
  node: Node;
  title: string;
  /** Who does the work, or in a run the agent that was chosen. */
  actor: string;
  /** The state in the run; undefined without a run, or if the run has no such node. */
  appearance: NodeStateAppearance | undefined;
  /** Why the node is in this state. */
  reason: string | undefined;
  /** What its session is doing right now. */
  activity: string | undefined;
  /** For a live timer: when its worked time would have begun without pauses between attempts. */
  runningSince: number | undefined;
  /** Since when the active session has printed nothing. */
  quietSince: number | undefined;
  /** After how many milliseconds without output a warning is shown. */
  quietAfter: number;
  /** How long its attempts worked, in milliseconds; null if unknown. */
  worked: number | null | undefined;
  /** All of its times in words, once it has ended. */
  times: string | undefined;
  attempt: number;
  /** While it runs: its duration in earlier runs, in milliseconds. */
  usual: number | undefined;
  /** The maximum number of attempts, if there can be several. */
  attempts: number | undefined;
  /** The cost so far, or the tokens if no price is known. */
  used: string | undefined;
  /** Whether it is on the highlighted critical path. */
  critical: boolean;
  /** A problem with this node that keeps the plan from being saved. */
  problem: string | undefined;
  /** Whether the node can't be the end of the edge being drawn. */
  refused: boolean;
  /** Whether the node matches the search. */
  found: boolean;
  /** Whether the title is being edited. */
  renaming: boolean;
  /** The trigger rule, if the node sets one. */
  startRule: TriggerRule | undefined;
  /** Whether it runs another blueprint, which can be opened. */
  opens: boolean;
  /** The branch that a condition took in the run. */
  taken: boolean | undefined;
  /** The reading direction, which decides where edges attach. */
  reading: Reading;
  /** How many of the handoffs that it receives in the run are pinned. */
  pinned: number;
  /** Whether it used its pinned output in the run. */
  usesPinnedOutput: boolean;
  /** Whether each branch of a condition has a target. */
  hasTrue: boolean;
  hasFalse: boolean;
}

export type CardNode = FlowNodeOf<CardData, "card" | "note" | "fold">;

/** Everything that the elements of the canvas depend on. */
export interface FlowInput {
  /** The geometry at this moment. */
  scene: Scene;
  /** The nodes and lines to render as elements. */
  elements: RenderedElements;
  run: ShownRun | undefined;
  /** The critical path, if it is highlighted. */
  critical?: CriticalPath;
  /** The durations of nodes in earlier runs, in milliseconds. */
  usual?: ReadonlyMap<NodeId, number>;
  selection: ReadonlySet<NodeId>;
  selectedEdges: ReadonlySet<string>;
  problems: ReadonlyMap<NodeId, string>;
  refused: ReadonlySet<NodeId>;
  /** The nodes that match the search text. */
  found: ReadonlySet<NodeId>;
  renaming: NodeId | undefined;
  /** The neighbors of the selected node, for screen readers. */
  neighbors?: string | undefined;
  /** The titles of blueprints by id, for nodes that run one. */
  planTitles: PlanTitles;
}

export interface Flow {
  nodes: CardNode[];
  edges: PlanEdge[];
}

/**
 * Converts the elements of a plan and its run to React Flow nodes and edges. Unchanged items are
 * the same objects as in `before`, so that a change of one node rerenders one card. The cost
 * depends on the number of elements, not on the size of the plan.
 */
export function toFlow(input: FlowInput, before?: Flow): Flow {
  const runs = runsByNode(input.run);
  const titleOf = titlesOf(input);
  const old = new Map(before?.nodes.map((node) => [node.id, node]));
  const card = (number: number, hidden: boolean): CardNode[] => {
    const node = input.scene.nodes[number];
    if (!node) return [];
    return [toCard(input, number, node, runs.get(node.id), titleOf, hidden, old.get(node.id))];
  };
  const { elements, scene, selectedEdges, critical } = input;
  const nodes = [
    ...elements.nodes.flatMap((number) => card(number, false)),
    ...elements.endpoints.flatMap((number) => card(number, true)),
  ];
  const lines = { scene, lines: elements.lines, selectedEdges, ...(critical && { critical }) };
  const edges = toEdges(lines, runs, titleOf, before?.edges);
  return { nodes: kept(before?.nodes, nodes), edges: kept(before?.edges, edges) };
}

/**
 * Returns the previous array if its items are the same: React Flow treats a new array as a change
 * of everything.
 */
function kept<T>(before: T[] | undefined, now: T[]): T[] {
  const isSame = before?.length === now.length && now.every((item, at) => item === before[at]);
  return isSame ? before : now;
}

function titlesOf({ scene, run }: FlowInput): (id: NodeId) => string {
  return (id) => {
    const number = scene.indexById.get(id);
    // A run may contain nodes that were deleted from the plan.
    const node =
      number === undefined
        ? run?.plan.nodes.find((candidate) => candidate.id === id)
        : scene.nodes[number];
    return node ? displayTitle(node.title) : "a deleted node";
  };
}

function toCard(
  input: FlowInput,
  number: number,
  node: Node,
  run: NodeRunView | undefined,
  titleOf: (id: NodeId) => string,
  hidden: boolean,
  before: CardNode | undefined,
): CardNode {
  const data = cardData(input, node, run, titleOf);
  const group = collapsedGroupOf(node);
  const selected = group
    ? group.nodes.every((id) => input.selection.has(id))
    : input.selection.has(node.id);
  const { x, y, width, height } = rectangleOf(input.scene, number);
  const position = { x, y };
  // Only for a single selected node, which has the focus; computing it for thousands would be
  // wasted.
  const neighbors = selected && !group && input.selection.size === 1 ? input.neighbors : undefined;
  const tabIndex = selected && input.selection.size === 1 ? 0 : -1;
  const sameData = before !== undefined && isSameCard(before.data, data);
  if (
    before &&
    sameData &&
    before.selected === selected &&
    before.domAttributes?.tabIndex === tabIndex &&
    before.domAttributes["aria-description"] === neighbors &&
    before.hidden === hidden &&
    before.width === width &&
    before.height === height &&
    before.position.x === position.x &&
    before.position.y === position.y
  ) {
    return before;
  }
  const isNote = node.kind.kind === "note";
  const size = { width, height };
  return {
    id: node.id,
    type: group ? "fold" : isNote ? "note" : "card",
    position,
    data: sameData ? before.data : data,
    selected,
    hidden,
    // With known sizes and handles, React Flow doesn't have to measure before it draws edges and
    // hides nodes.
    ...size,
    measured: size,
    handles: handlesOf(node, input.scene.reading),
    connectable: !isNote && !group,
    // Notes are below the edges, cards above them.
    zIndex: isNote ? -1 : 2,
    ariaLabel: group
      ? `Group ${data.title}, collapsed, ${collapsedGroupSize(node)}`
      : nodeLabel(node, run, data.reason),
    domAttributes: { tabIndex, ...(neighbors && { "aria-description": neighbors }) },
  };
}

function cardData(
  { scene, problems, refused, found, renaming, planTitles, run: whole, critical, usual }: FlowInput,
  node: Node,
  run: NodeRunView | undefined,
  titleOf: (id: NodeId) => string,
): CardData {
  const lives = run?.state.state === "running";
  const past = whole?.past?.at;
  const worked = workedOn(run, past);
  return {
    node,
    title: displayTitle(node.title),
    actor: run?.marks.choice?.agent ?? kindSummary(node, planTitles),
    appearance: run && nodeStateAppearance(run),
    reason: run && runReason(run, titleOf),
    activity: (lives && run.activity) || undefined,
    runningSince: worked && "since" in worked ? Number(worked.since) : undefined,
    quietSince: inactiveSince(run),
    quietAfter: inactivityThreshold(node, run),
    worked: worked && "milliseconds" in worked ? worked.milliseconds : undefined,
    times: worked && "milliseconds" in worked && run ? workTimeTitle(run.times) : undefined,
    usual: lives && past === undefined ? usual?.get(node.id) : undefined,
    used: usageText(run?.used),
    attempts: node.maxRetries > 0 ? node.maxRetries + 1 : undefined,
    critical: critical?.nodes.has(node.id) ?? false,
    attempt: run?.attempt ?? 0,
    problem: problems.get(node.id),
    refused: refused.has(node.id),
    found: found.has(node.id),
    renaming: renaming === node.id,
    startRule: node.triggerRule ?? undefined,
    opens: subPlanIdOf(node) !== undefined,
    taken: run?.marks.taken ?? undefined,
    reading: scene.reading,
    pinned: run?.pinned?.length ?? 0,
    usesPinnedOutput: run?.marks.pinnedOutput !== undefined,
    hasTrue: targetOf(node, "true") !== null,
    hasFalse: targetOf(node, "false") !== null,
  };
}

/** How long the node worked, as its card shows it; undefined while it waits with a live attempt. */
function workedOn(run: NodeRunView | undefined, past: number | undefined) {
  if (run === undefined) return undefined;
  if (run.state.state !== "running" && run.times.workingSince !== null) return undefined;
  return workedDuration(run.times, past);
}

/** "$0.04", or "12.4k tokens" if no price is known; undefined if nothing is known. */
function usageText(used: Usage | undefined): string | undefined {
  if (!used) return undefined;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, usd } = used;
  if (usd !== null) return formatCost(usd);
  const known = [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens].filter(
    (count) => count !== null,
  );
  const tokens = known.reduce((sum, count) => sum + count, 0);
  return known.length > 0 ? `${formatTokens(tokens)} tokens` : undefined;
}

function isSameCard(one: CardData, other: CardData): boolean {
  for (const key of Object.keys(other)) {
    if (key !== "appearance" && one[key] !== other[key]) return false;
  }
  const [a, b] = [one.appearance, other.appearance];
  return (
    a === b ||
    (a?.state === b?.state &&
      a?.waitingFor === b?.waitingFor &&
      a?.stale === b?.stale &&
      a?.unverified === b?.unverified &&
      a?.notChecked === b?.notChecked)
  );
}
