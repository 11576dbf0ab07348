import type { InboxAsk, InboxItem } from "@/api/bindings";

/** Things that wait, for tests. What is not said is about the node "Deploy" of the blueprint "Release". */
export function itemOf(ask: InboxAsk, facts: Partial<InboxItem> = {}): InboxItem {
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
export const takeover: InboxAsk = {
  kind: "takeover",
  message: "taken over from process 17 (worker), which had been silent for 2m 05s",
  details: ["Inherited: 1 finished node: 'Build'", "Remaining: 2 nodes"],
};
export const stalled: InboxAsk = { kind: "stalled", message: "'Deploy' did not come to an end" };
