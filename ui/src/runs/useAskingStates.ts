import { useMemo } from "react";
import type { InboxItem } from "@/api/bindings";
import { useOperation } from "@/api/queries";

/** The state of a node that waits for a person's answer. */
export type AskingState = "waiting" | "interrupted";

const none: never[] = [];

/**
 * The runs with a node that waits for a person's answer, and the state in which that node is. Other
 * questions about a run, such as a proposal, are not about a node in such a state.
 */
export function useAskingStates(): ReadonlyMap<string, AskingState> {
  const { data: items = none } = useOperation("inbox_list", {});
  return useMemo(() => askingStates(items), [items]);
}

function askingStates(items: readonly InboxItem[]): ReadonlyMap<string, AskingState> {
  const found = new Map<string, AskingState>();
  for (const { run, ask } of items) {
    const state = askingState(ask.kind);
    if (state !== undefined && found.get(run) !== "waiting") found.set(run, state);
  }
  return found;
}

/** A new kind of question doesn't compile until it is added here. */
function askingState(kind: InboxItem["ask"]["kind"]): AskingState | undefined {
  switch (kind) {
    case "permission":
    case "approval":
    case "input":
    case "merge":
      return "waiting";
    case "interrupted":
      return "interrupted";
    case "proposal":
    case "plan_review":
    case "takeover":
    case "stalled":
    case "handler_not_started":
      return undefined;
  }
}
