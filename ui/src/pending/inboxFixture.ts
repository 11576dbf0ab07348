import type { InboxItem, InboxRequest, RequestView } from "@/api/bindings";

/** Makes an Inbox item, by default of the node "Deploy" in the blueprint "Release". */
export function makeInboxItem(ask: InboxRequest, facts: Partial<InboxItem> = {}): InboxItem {
  return {
    run: "run",
    plan: "plan",
    planTitle: "Release",
    node: { id: "deploy", slug: "deploy", title: "Deploy", session: "session" },
    path: [],
    since: 0,
    ask,
    ...facts,
  };
}

/** Makes an agent request, by default of the node "Deploy". */
export function makeRequest(id: string, facts: Partial<RequestView> = {}): RequestView {
  return {
    id,
    actor: "session:session",
    of: {
      session: "session",
      run: "run",
      plan: "plan",
      planTitle: "Release",
      node: "deploy",
      slug: "deploy",
      title: "Deploy",
    },
    operation: "plan_approve",
    summary: "approves a plan",
    input: { plan: "other", revision: 3 },
    plan: "other",
    planTitle: "Rollout",
    askedAt: 0,
    outcome: null,
    decidedBy: null,
    decidedAt: null,
    ...facts,
  };
}

/** Overrides for a request of an agent that Baton does not run. */
export const outsideAgent = { actor: "agent:claude", of: null } as const;

export const permission = {
  kind: "permission",
  question: "Run git push?",
  request: "r1",
  call: { tool: "Bash", command: "git push" },
} as const;
export const interrupted = {
  kind: "interrupted",
  detail: "its process is gone without a record",
  canResume: false,
} as const;
export const takeover: InboxRequest = {
  kind: "takeover",
  message: "taken over from process 17 (worker), which had been silent for 2m 05s",
  details: ["Inherited: 1 finished node: 'Build'", "Remaining: 2 nodes"],
};
export const stalled: InboxRequest = {
  kind: "stalled",
  message: "'Deploy' did not finish",
};
