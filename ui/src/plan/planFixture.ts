import type {
  Node,
  NodeRunView,
  NodeState,
  Plan,
  PlanSaved,
  PlanView,
  RunView,
} from "@/api/bindings";
import { pendingNodeRun } from "@/run/runAtMoment";
import { blankNode } from "./edits";

/** Plans and runs for tests. Node ids are the given names; edges are written as `parent>child`. */
export function planOf(names: readonly string[], edges: readonly string[]): Plan {
  const empty: Plan = {
    id: "plan",
    title: "Plan",
    description: "",
    cwd: null,
    nodes: [],
    edges: edges.map((edge) => {
      const [parent = "", child = ""] = edge.split(">");
      return { parent, child, soft: false };
    }),
    groups: [],
    settings: {
      toolScope: "by_level",
      replan: "off",
      guardedTools: [],
      priority: 5,
      planRetries: 0,
      maxRetries: 3,
      timeoutMs: null,
      budget: { tokens: null, costUsd: null },
      agentConcurrency: {},
      review: null,
      onFailedCriterion: "fail",
      onUnverified: "continue",
      takeoverAllowed: true,
      onTakeover: "verify",
      isolation: "shared",
      worktreeSetup: null,
      project: null,
      tags: [],
      complexity: null,
      constraints: [],
    },
    origin: {
      source: "user",
      sourceId: null,
      user: null,
      createdBy: null,
      plannerModel: null,
      executorModel: null,
      informedBy: [],
      goal: null,
      trigger: null,
    },
    metadata: {},
  };
  return { ...empty, nodes: names.map((name, at) => nodeOf(empty, name, at)) };
}

function nodeOf(plan: Plan, name: string, at: number): Node {
  const node = blankNode(plan, "command", { x: at * 300, y: 0 });
  return { ...node, id: name, slug: name, title: `Title of ${name}` };
}

export function viewOf(plan: Plan, facts: Partial<PlanView> = {}): PlanView {
  return {
    plan,
    version: 1,
    revision: 1,
    review: "draft",
    approvedVersion: null,
    approval: null,
    agentsMayStart: false,
    createdAt: 0,
    updatedAt: 0,
    retention: null,
    archivedAt: null,
    lastRun: null,
    problems: [],
    ...facts,
  };
}

/** The answer to saving a plan. */
export function savedOf(facts: Partial<PlanSaved> = {}): PlanSaved {
  return { version: 2, revision: 2, review: "draft", updatedAt: 0, problems: [], ...facts };
}

export function runOf(
  plan: Plan,
  states: Readonly<Record<string, NodeState>>,
  summary: Partial<RunView["summary"]> = {},
): RunView {
  const nodes: NodeRunView[] = plan.nodes.map((node) => ({
    ...pendingNodeRun,
    node: node.id,
    state: states[node.id] ?? pendingNodeRun.state,
    attempt: states[node.id] ? 1 : 0,
  }));
  return {
    summary: {
      id: "run",
      plan: plan.id,
      number: 1,
      title: plan.title,
      version: 1,
      state: { state: "running", ending: null },
      goal: { want: "all" },
      startedAt: 0,
      endedAt: null,
      progress: nodes.map((node) => node.state.state),
      attendance: { where: "here" },
      ...summary,
    },
    takeover: null,
    seq: 1,
    plan,
    limit: 4,
    nodes,
    parent: null,
    children: [],
  };
}
