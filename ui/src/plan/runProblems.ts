import type { NodeId, NodeRunView, Plan } from "@/api/bindings";
import type { ShownRun } from "@/run/runAtMoment";
import { displayTitle, nodeStateAppearance } from "./nodeText";
import type { PlanProblem } from "./problems";
import { failedNodes } from "./runStatus";

/** Something about a node that needs a person. */
export interface RunProblem {
  node: NodeId;
  /** "Lint failed" */
  text: string;
}

/**
 * The problems of a plan and its shown run, the most urgent first: questions, failures,
 * interrupted and silent nodes, unverified ones, skipped failures, stale ones, and errors in the
 * plan. Each node is listed once. In plan order within a kind.
 */
export function runProblems(
  plan: Pick<Plan, "nodes">,
  run: ShownRun | undefined,
  planProblems: readonly PlanProblem[],
): RunProblem[] {
  const titles = new Map(plan.nodes.map(({ id, title }) => [id, displayTitle(title)]));
  const listed = new Map<NodeId, string>();
  const add = (node: NodeId, words: string) => {
    const title = titles.get(node);
    if (title !== undefined && !listed.has(node)) listed.set(node, `${title} ${words}`);
  };
  for (const { words, applies } of run ? kinds(run) : [])
    for (const nodeRun of run?.nodes ?? []) if (applies(nodeRun)) add(nodeRun.node, words);
  for (const { nodes, sentence, preventsSaving } of planProblems)
    for (const node of nodes)
      add(node, `${preventsSaving ? "can't be saved" : "is unfinished"}: ${sentence}`);
  return [...listed].map(([node, text]) => ({ node, text }));
}

interface ProblemKind {
  words: string;
  applies: (nodeRun: NodeRunView) => boolean;
}

/** The kinds of problems in a run, the most urgent first. */
function kinds(run: ShownRun): ProblemKind[] {
  const failed = new Set(failedNodes(run));
  return [
    {
      words: "waits for you",
      applies: (node) => nodeStateAppearance(node).waitingFor === "person",
    },
    {
      words: "failed",
      applies: ({ node, state }) => state.state === "failed" && failed.has(node),
    },
    { words: "was interrupted", applies: ({ state }) => state.state === "interrupted" },
    {
      words: "has been silent for too long",
      applies: ({ state, marks }) => state.state === "running" && marks.silent,
    },
    {
      words: "is unverified",
      applies: ({ state, unverified }) => state.state === "done" && unverified,
    },
    {
      words: "failed and was skipped",
      applies: (node) => nodeStateAppearance(node).failedAndSkipped === true,
    },
    { words: "is stale", applies: ({ stale }) => stale },
  ];
}
