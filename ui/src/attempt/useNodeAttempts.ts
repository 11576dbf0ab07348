import { useState } from "react";
import type { AttemptView, NodeId, RunId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { sortLatestFirst } from "./AttemptSelect";

/**
 * Loads the attempts of a node, latest first. `shown` is the selected one, by default the latest.
 */
export function useNodeAttempts(run: RunId | undefined, node: NodeId) {
  const [chosen, choose] = useState<{ node: NodeId; attempt: number }>();
  const read = useOperation(
    "node_attempts",
    { run: run ?? "", node },
    { enabled: run !== undefined },
  );
  const attempts: AttemptView[] = sortLatestFirst(read.data ?? []);
  const wanted = chosen?.node === node ? chosen.attempt : undefined;
  const shown = attempts.find(({ attempt }) => attempt === wanted) ?? attempts[0];
  return { read, attempts, shown, show: (attempt: number) => choose({ node, attempt }) };
}
