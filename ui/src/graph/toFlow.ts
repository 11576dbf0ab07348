import type { Node as FlowNodeOf } from "@xyflow/react";
import type {
  Node,
  NodeId,
  NodeRunView,
  Plan,
  Position,
  RunView,
  TriggerRule,
} from "@/api/bindings";
import { actorWords, type PlanTitles, subPlanOf } from "@/blueprint/kindSummary";
import { lookOf, nodeLabel, stateReason, titleWords } from "@/blueprint/nodeWords";
import { quietAfterOf, quietSinceOf } from "@/blueprint/quiet";
import { targetOf } from "@/blueprint/ways";
import type { NodeStateLook } from "@/components/nodeState";
import { cardSize, sizeOf } from "./geometry";
import { handlesOf } from "./handles";
import { type PlanEdge, toEdges } from "./toEdges";

/** What a node card shows. Plain facts: a card asks nobody. */
export interface CardData extends Record<string, unknown> {
  node: Node;
  title: string;
  actor: string;
  /** How it goes; none when no run is shown, or the run does not know the node. */
  look: NodeStateLook | undefined;
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
  /** What keeps the plan from being saved, about this node. */
  problem: string | undefined;
  /** While an edge is drawn: this node cannot be its end. */
  refused: boolean;
  /** The title is being written. */
  renaming: boolean;
  /** The rule under which it starts, when it names one. */
  startRule: TriggerRule | undefined;
  /** It runs another blueprint, which can be opened. */
  opens: boolean;
  /** Which branch a condition took in the run. */
  taken: boolean | undefined;
  /** Whether the branches of a condition lead somewhere. */
  hasTrue: boolean;
  hasFalse: boolean;
}

export type CardNode = FlowNodeOf<CardData, "card" | "note">;

/** Everything that the canvas shows. */
export interface FlowInput {
  plan: Plan;
  run: RunView | undefined;
  selection: ReadonlySet<NodeId>;
  selectedEdges: ReadonlySet<string>;
  /** Where nodes stand at this moment, while they are dragged or glide; before the plan's own places. */
  moving: ReadonlyMap<NodeId, Position>;
  /** Where nodes stand that have no place of their own yet. */
  fallback: ReadonlyMap<NodeId, Position>;
  problems: ReadonlyMap<NodeId, string>;
  refused: ReadonlySet<NodeId>;
  renaming: NodeId | undefined;
  /** The titles of blueprints by id, for nodes that run one. */
  planTitles: PlanTitles;
}

export interface Flow {
  nodes: CardNode[];
  edges: PlanEdge[];
}

/**
 * The plan and its run as the canvas takes them. What looks as in `before` is the very object of `before`, so that a
 * change of one node draws one card.
 */
export function toFlow(input: FlowInput, before?: Flow): Flow {
  const runs = runsByNode(input.run);
  const titles = titlesByNode(input);
  const titleOf = (id: NodeId) => titles.get(id) ?? "a node that is gone";
  const oldNodes = new Map(before?.nodes.map((node) => [node.id, node]));
  return {
    nodes: input.plan.nodes.map((node, index) =>
      toCard(input, node, index, runs.get(node.id), titleOf, oldNodes.get(node.id)),
    ),
    edges: toEdges(input, runs, titleOf, before?.edges),
  };
}

function titlesByNode({ plan, run }: FlowInput): Map<NodeId, string> {
  // A run may know nodes that the plan has lost since.
  const nodes = run ? [...run.plan.nodes, ...plan.nodes] : plan.nodes;
  return new Map(nodes.map((node) => [node.id, titleWords(node.title)]));
}

const knownRuns = new WeakMap<RunView, Map<NodeId, NodeRunView>>();
const noRuns = new Map<NodeId, NodeRunView>();

/** The nodes of a run by their ids. */
export function runsByNode(run: RunView | undefined): ReadonlyMap<NodeId, NodeRunView> {
  if (!run) return noRuns;
  const known = knownRuns.get(run) ?? new Map(run.nodes.map((node) => [node.node, node]));
  knownRuns.set(run, known);
  return known;
}

function toCard(
  input: FlowInput,
  node: Node,
  index: number,
  run: NodeRunView | undefined,
  titleOf: (id: NodeId) => string,
  before: CardNode | undefined,
): CardNode {
  const data = cardData(input, node, run, titleOf);
  const selected = input.selection.has(node.id);
  const position = placeOf(input, node, index);
  const sameData = before !== undefined && sameCard(before.data, data);
  if (
    before &&
    sameData &&
    before.selected === selected &&
    before.position.x === position.x &&
    before.position.y === position.y
  ) {
    return before;
  }
  const isNote = node.kind.kind === "note";
  const size = sizeOf(node);
  return {
    id: node.id,
    type: isNote ? "note" : "card",
    position,
    data: sameData ? before.data : data,
    selected,
    // Known sizes and handles: nothing has to be measured before edges are drawn and hidden nodes left out.
    ...size,
    measured: size,
    handles: handlesOf(node),
    connectable: !isNote,
    // Notes lie below the edges, cards above them.
    zIndex: isNote ? -1 : 2,
    ariaLabel: nodeLabel(node, run, data.reason),
    domAttributes: { tabIndex: selected ? 0 : -1 },
  };
}

function cardData(
  { problems, refused, renaming, planTitles }: FlowInput,
  node: Node,
  run: NodeRunView | undefined,
  titleOf: (id: NodeId) => string,
): CardData {
  const lives = run?.state.state === "running";
  const took =
    run && !lives && run.startedAt !== null && run.endedAt !== null
      ? Math.max(0, run.endedAt - run.startedAt)
      : undefined;
  return {
    node,
    title: titleWords(node.title),
    actor: actorWords(node, planTitles),
    look: run && lookOf(run),
    reason: run && stateReason(run.state, titleOf),
    activity: (lives && run.activity) || undefined,
    runningSince: lives ? (run.startedAt ?? undefined) : undefined,
    quietSince: quietSinceOf(run),
    quietAfter: quietAfterOf(node, run),
    took,
    attempt: run?.attempt ?? 0,
    problem: problems.get(node.id),
    refused: refused.has(node.id),
    renaming: renaming === node.id,
    startRule: node.triggerRule ?? undefined,
    opens: subPlanOf(node) !== undefined,
    taken: run?.marks.taken ?? undefined,
    hasTrue: targetOf(node, "true") !== null,
    hasFalse: targetOf(node, "false") !== null,
  };
}

function sameCard(one: CardData, other: CardData): boolean {
  for (const key of Object.keys(other)) {
    if (key !== "look" && one[key] !== other[key]) return false;
  }
  const [a, b] = [one.look, other.look];
  return (
    a === b ||
    (a?.state === b?.state &&
      a?.waitingFor === b?.waitingFor &&
      a?.stale === b?.stale &&
      a?.unverified === b?.unverified)
  );
}

const columns = 5;

/** Where a node stands: where it is dragged, where the plan says, where the layout would put it, or in a grid. */
export function placeOf(
  { moving, fallback }: Pick<FlowInput, "moving" | "fallback">,
  node: Node,
  index: number,
): Position {
  return (
    moving.get(node.id) ??
    node.position ??
    fallback.get(node.id) ?? {
      x: (index % columns) * (cardSize.width + 64),
      y: Math.floor(index / columns) * (cardSize.height + 40),
    }
  );
}
