import type { Node, NodeRunView } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";

/** Short labels for what a run records about a node in addition to its state. Pure. */
export function nodeMarkLabels(node: Node, run: Pick<NodeRunView, "marks" | "stale">): string[] {
  const { taken, losses, silent, resumes, spent } = run.marks;
  const isFork = node.kind.kind === "condition";
  return [
    isFork && taken !== null && `took the ${taken} branch`,
    run.stale && "stale: its input has changed since",
    silent && "silent for longer than expected",
    resumes !== null && "continues an earlier session",
    losses > 0 && `${formatCount(losses, "attempt")} lost`,
    spentText(spent),
  ].filter((words): words is string => typeof words === "string");
}

/** What was used, such as "used 12,000 tokens, $0.42"; undefined when nothing was recorded. */
function spentText({ tokens, costMicros }: NodeRunView["marks"]["spent"]) {
  const words = [
    tokens > 0 && formatCount(tokens, "token"),
    costMicros > 0 && `$${(costMicros / 1e6).toFixed(costMicros < 10_000 ? 4 : 2)}`,
  ].filter((word) => typeof word === "string");
  return words.length > 0 ? `used ${words.join(", ")}` : undefined;
}
