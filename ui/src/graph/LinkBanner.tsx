import type { ReactElement } from "react";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { connectionRefusal, movedRefusal, refusalText } from "@/plan/reachability";

/** Shows the edge that is being drawn or moved by keyboard, and whether it is allowed. */
export function LinkBanner(): ReactElement | null {
  const linking = usePage((state) => state.linking);
  return linking === undefined ? null : <Banner parent={linking} />;
}

function Banner({ parent }: { parent: string }): ReactElement {
  const { page, edit } = useBlueprint();
  const plan = useEditor((state) => state.plan);
  const child = useEditor((state) => [...state.selection].at(-1));
  const titleOf = (id: string) =>
    displayTitle(plan.nodes.find((node) => node.id === id)?.title ?? "");
  const condition = usePage((state) => state.linkingCondition);
  const moved = usePage((state) => state.linkingEdge);
  const chosen = child !== undefined && child !== parent;
  const refusal = !chosen
    ? undefined
    : moved === undefined
      ? connectionRefusal(plan, parent, child, condition)
      : movedRefusal(plan, moved, parent, child);

  return (
    <div className="absolute top-3 left-1/2 z-20 flex max-w-[70%] -translate-x-1/2 items-center gap-3 rounded-card bg-overlay py-1.5 pr-1.5 pl-3 shadow-float">
      <p className="min-w-0">
        <span className="text-muted">
          {moved === undefined ? "Connect " : "Move the edge from "}
        </span>
        <span className="font-medium">{titleOf(parent)}</span>
        {condition && <span className="text-muted">, {condition} branch,</span>}
        <span className="text-muted"> to </span>
        {chosen ? (
          <span className="font-medium">{titleOf(child)}</span>
        ) : (
          <span className="text-muted">the node you select with the arrow keys</span>
        )}
        {refusal && (
          <span className="block text-12 text-danger-fg">{refusalText(refusal, plan)}</span>
        )}
      </p>
      <Button size="small" kind="primary" disabled={!chosen || !!refusal} onClick={edit.link}>
        {moved === undefined ? "Connect" : "Move here"} <Kbd keys="Enter" />
      </Button>
      <Button size="small" kind="ghost" onClick={() => page.setState({ linking: undefined })}>
        Cancel <Kbd keys="Escape" />
      </Button>
    </div>
  );
}
