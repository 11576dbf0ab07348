import type { Node as FlowNodeOf } from "@xyflow/react";
import type {
  Node,
  NodeId,
  NodeRunView,
  Direction as Reading,
  TriggerRule,
  Usage,
} from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { formatCost, formatTokens } from "@/components/formatUsage";
import type { NodeStateAppearance } from "@/components/nodeState";
import { targetOf } from "@/plan/conditionalEdges";
import { handlesOf } from "@/plan/handles";
import { inactiveSince, inactivityThreshold } from "@/plan/inactivity";
import { kindSummary, type PlanTitles, subPlanIdOf } from "@/plan/kindSummary";
import { displayTitle, nodeLabel, nodeStateAppearance, runReason } from "@/plan/nodeText";
import type { CriticalPath } from "@/plan/usePlanTiming";
import type { ShownRun } from "@/run/runAtMoment";
import { runsByNode } from "@/run/runsByNode";
import { collapsedGroupOf } from "./collapseGroups";
import type { RenderedElements } from "./renderedElements";
import { rectangleOf, type Scene } from "./scene";
import { type PlanEdge, toEdges } from "./toEdges";

/** What a node card shows. Plain facts: a card asks nobody. */
export interface CardData extends Record<string, unknown> {
  node: Node;
  title: string;
  /** Who does it, or the agent that really did. */
  actor: string;
  /** How it goes; none when no run is shown, or the run does not know the node. */
  look: NodeStateAppearance | undefined;
  /** Why it stands there. */
  reason: string | undefined;
  /** What its session does at the moment. */
  activity: string | undefined;
  /** When the attempt that lives began, for a clock that ticks. */
  runningSince: number | undefined;
  /** Since when the session that lives has printed nothing. */
  quietSince: number | undefined;
  /** After how many milliseconds of that it is worth a look. */
  quietAfter: number;
  /** How long the last attempt took, in milliseconds. */
  took: number | undefined;
  attempt: number;
  /** While it runs: how long it took in earlier runs, in milliseconds. */
  usual: number | undefined;
  /** How many attempts there may be, where there may be several. */
  attempts: number | undefined;
  /** What it cost so far, or its tokens where no price is known. */
  used: string | undefined;
  /** It lies on the marked critical path. */
  critical: boolean;
  /** What keeps the plan from being saved, about this node. */
  problem: string | undefined;
  /** While an edge is drawn: this node cannot be its end. */
  refused: boolean;
  /** What is looked for is found in it. */
  found: boolean;
  /** The title is being written. */
  renaming: boolean;
  /** The rule under which it starts, when it names one. */
  startRule: TriggerRule | undefined;
  /** It runs another blueprint, which can be opened. */
  opens: boolean;
  /** Which branch a condition took in the run. */
  taken: boolean | undefined;
  /** Which way the plan reads: where edges touch the card. */
  reading: Reading;
  /** How many of the handoffs that it receives in the run a person settled. */
  pinned: number;
  /** Whether the branches of a condition lead somewhere. */
  hasTrue: boolean;
  hasFalse: boolean;
}

export type CardNode = FlowNodeOf<CardData, "card" | "note" | "fold">;

/** Everything that the elements of the canvas show. */
export interface FlowInput {
  /** Where everything lies at this moment. */
  scene: Scene;
  /** What of it becomes elements. */
  elements: RenderedElements;
  run: ShownRun | undefined;
  /** The critical path, where it is to be marked. */
  critical?: CriticalPath;
  /** How long nodes took in earlier runs, in milliseconds. */
  usual?: ReadonlyMap<NodeId, number>;
  selection: ReadonlySet<NodeId>;
  selectedEdges: ReadonlySet<string>;
  problems: ReadonlyMap<NodeId, string>;
  refused: ReadonlySet<NodeId>;
  /** What the text in the search field is found in. */
  found: ReadonlySet<NodeId>;
  renaming: NodeId | undefined;
  /** Where the selected node stands among the others, in words. */
  kin?: string | undefined;
  /** The titles of blueprints by id, for nodes that run one. */
  planTitles: PlanTitles;
}

export interface Flow {
  nodes: CardNode[];
  edges: PlanEdge[];
}

/**
 * The cast of a plan and its run as React Flow takes them. What looks as in `before` is the very object of `before`, so
 * that a change of one node draws one card. Costs what the cast costs, however large the plan is.
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

/** The list of before, when the same things stand in it: React Flow takes another list for a change of all. */
function kept<T>(before: T[] | undefined, now: T[]): T[] {
  const isSame = before?.length === now.length && now.every((item, at) => item === before[at]);
  return isSame ? before : now;
}

function titlesOf({ scene, run }: FlowInput): (id: NodeId) => string {
  return (id) => {
    const number = scene.indexById.get(id);
    // A run may know nodes that the plan has lost since.
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
  // Of one only: whoever hears it stands there, and a plan of thousands is not told for nobody.
  const kin = selected && !group && input.selection.size === 1 ? input.kin : undefined;
  const tabIndex = selected && input.selection.size === 1 ? 0 : -1;
  const sameData = before !== undefined && isSameCard(before.data, data);
  if (
    before &&
    sameData &&
    before.selected === selected &&
    before.domAttributes?.tabIndex === tabIndex &&
    before.domAttributes["aria-description"] === kin &&
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
    // Known sizes and handles: nothing has to be measured before edges are drawn and hidden nodes left out.
    ...size,
    measured: size,
    handles: handlesOf(node, input.scene.reading),
    connectable: !isNote && !group,
    // Notes lie below the edges, cards above them.
    zIndex: isNote ? -1 : 2,
    ariaLabel: group
      ? `Group ${data.title}, collapsed, ${formatCount(group.nodes.length, "node")}`
      : nodeLabel(node, run, data.reason),
    domAttributes: { tabIndex, ...(kin && { "aria-description": kin }) },
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
  return {
    node,
    title: displayTitle(node.title),
    actor: run?.marks.choice?.agent ?? kindSummary(node, planTitles),
    look: run && nodeStateAppearance(run),
    reason: run && runReason(run, titleOf),
    activity: (lives && run.activity) || undefined,
    runningSince: lives && past === undefined ? (run.startedAt ?? undefined) : undefined,
    quietSince: inactiveSince(run),
    quietAfter: inactivityThreshold(node, run),
    took: run && (past === undefined && lives ? undefined : elapsedMs(run, past)),
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
    hasTrue: targetOf(node, "true") !== null,
    hasFalse: targetOf(node, "false") !== null,
  };
}

/** How long the last attempt took, or took until the moment that is looked at. */
function elapsedMs({ state, startedAt, endedAt }: NodeRunView, past: number | undefined) {
  const end = state.state === "running" ? past : endedAt;
  if (startedAt === null || end === null || end === undefined) return undefined;
  return Math.max(0, end - startedAt);
}

/** "$0.04", or "12.4k tokens" where no price is known; nothing when nothing is. */
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
    if (key !== "look" && one[key] !== other[key]) return false;
  }
  const [a, b] = [one.look, other.look];
  return (
    a === b ||
    (a?.state === b?.state &&
      a?.waitingFor === b?.waitingFor &&
      a?.stale === b?.stale &&
      a?.unverified === b?.unverified &&
      a?.notChecked === b?.notChecked)
  );
}
