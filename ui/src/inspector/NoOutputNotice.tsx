import { Hourglass } from "lucide-react";
import type { ReactElement } from "react";
import { Link } from "react-router";
import type { Node, NodeRunView } from "@/api/bindings";
import { toSentence } from "@/components/toSentence";
import { inactiveSince, inactivityThreshold } from "@/plan/inactivity";
import { useInactivityText } from "@/plan/useInactivityText";
import { paths } from "@/shell/paths";

/** Warns that a running node has had no output for a while. Renders nothing otherwise. */
export function NoOutputNotice({
  plan,
  node,
  nodeRun,
}: {
  plan: string;
  node: Node;
  nodeRun: NodeRunView | undefined;
}): ReactElement | null {
  const words = useInactivityText(inactiveSince(nodeRun), inactivityThreshold(node, nodeRun));
  if (words === undefined || !nodeRun) return null;
  return (
    <p className="flex items-start gap-2 border-b bg-state-waiting-tint px-4 py-2 text-12">
      <Hourglass aria-hidden="true" className="mt-px size-3.5 shrink-0 text-state-waiting" />
      <span className="min-w-0">
        <span className="font-medium text-state-waiting tabular-nums">{toSentence(words)}</span> It
        may be thinking or stuck. Check its{" "}
        <Link
          to={paths.node(plan, nodeRun.node)}
          className="font-medium text-accent-fg underline underline-offset-2"
        >
          timeline
        </Link>
        , or stop the run.
      </span>
    </p>
  );
}
