import type { Plan, ProposalSummary, ProposalView } from "@/api/bindings";
import { planOf } from "./planFixture";

/** A proposal for tests: ready if it has a draft, a replan if it has a base. */
export function proposalOf(
  draft: Plan | null,
  base: Plan | null = null,
  facts: Partial<ProposalSummary> = {},
  more: Partial<ProposalView> = {},
): ProposalView {
  return {
    summary: {
      id: "p",
      kind: base ? "replan" : "generate",
      state: { state: draft ? "ready" : "working" },
      title: draft?.title ?? "Add rate limiting",
      wish: "Add rate limiting",
      author: {
        agent: "claude",
        title: "Claude Code",
        model: null,
        automatic: false,
        submittedBy: null,
      },
      target: base && {
        plan: base.id,
        title: base.title,
        version: 1,
        moved: false,
        node: null,
        nodeTitle: null,
        run: "run",
      },
      rounds: 1,
      repairing: false,
      rejections: 0,
      run: "planning",
      session: null,
      activity: null,
      nodeCount: draft?.nodes.length ?? 0,
      createdAt: 0,
      updatedAt: 0,
      expiresAt: 0,
      ...facts,
    },
    draft,
    base,
    diff: null,
    changes: [],
    required: [],
    impact: { kept: [], stale: [], dropped: [] },
    impactSentences: [],
    reasoning: "",
    explanation: null,
    remarks: [],
    remarkSentences: [],
    checks: [],
    freshness: null,
    faults: [],
    feedback: [],
    comments: [],
    sinceReviewed: null,
    rounds: [{ run: "planning", session: null, at: 0, faults: [] }],
    ...more,
  };
}

/** A proposal that adds one node, removes one and changes one. */
export function changingProposal(): ProposalView {
  const base = planOf(["a", "b", "c"], ["a>b", "b>c"]);
  const draft = planOf(["a", "c", "d"], ["a>c", "c>d"]);
  return proposalOf(
    draft,
    base,
    {},
    {
      diff: {
        nodesAdded: ["d"],
        nodesRemoved: ["b"],
        nodesChanged: ["c"],
        edgesAdded: [],
        edgesRemoved: [],
        groupsChanged: false,
        planChanged: false,
      },
      changes: [
        { change: "add_node", node: "d" },
        { change: "remove_node", node: "b" },
        { change: "change_node", node: "c" },
      ],
      required: [[], [], [0]],
      impactSentences: ["1 finished node becomes stale"],
      remarkSentences: ["a, c and d form a chain"],
      reasoning: "Because <b>b</b> failed.",
    },
  );
}
