import type { NodeRunView, RunId } from "@/api/bindings";
import type { OpenQuestion } from "./timelineContext";

/** Returns the permission request that the node is waiting on, if any. */
export function openQuestion(
  run: RunId | undefined,
  nodeRun: NodeRunView | undefined,
): OpenQuestion | undefined {
  if (!run || nodeRun?.state.state !== "waiting" || nodeRun.state.for.kind !== "person") {
    return undefined;
  }
  const { question, request, call } = nodeRun.state.for;
  return { run, node: nodeRun.node, question, request, call };
}
