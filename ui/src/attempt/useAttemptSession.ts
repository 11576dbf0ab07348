import type { Attempt, NodeId, RunId, SessionId } from "@/api/bindings";
import { useOperation } from "@/api/queries";

export interface AttemptOfNode {
  run: RunId;
  node: NodeId;
  attempt: Attempt;
}

/** Returns the session of an attempt; `undefined` while it loads, or if it can't be loaded. */
export function useAttemptSession({ run, node, attempt }: AttemptOfNode): SessionId | undefined {
  const { data } = useOperation("node_attempts", { run, node });
  return data?.find((each) => each.attempt === attempt)?.session;
}
