import { type ReactElement, useEffect } from "react";
import type { NodeId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { classes } from "@/components/classes";
import { formatCount } from "@/components/formatCount";
import { Kbd } from "@/components/Kbd";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { connectionsTo, linkStarts } from "@/plan/connections";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { singleOf } from "@/plan/planAccess";
import { connectionRefusal, movedRefusal, refusalText } from "@/plan/reachability";

/** Shows the edge that is being drawn or moved by keyboard, and whether it is allowed. */
export function LinkBanner(): ReactElement | null {
  const { page } = useBlueprint();
  const plan = useEditor((state) => state.plan);
  const linking = usePage((state) => state.linking);
  const moved = usePage((state) => state.linkingEdge);
  const parents = linking && linkStarts(plan, linking, moved);
  const isGone = parents?.length === 0;
  useEffect(() => {
    if (isGone) page.setState({ linking: undefined });
  }, [isGone, page]);
  return parents === undefined || isGone ? null : <Banner parents={parents} />;
}

function Banner({ parents }: { parents: readonly NodeId[] }): ReactElement {
  const { page, edit } = useBlueprint();
  const plan = useEditor((state) => state.plan);
  const child = useEditor((state) => singleOf(state.selection));
  const titleOf = (id: string) =>
    displayTitle(plan.nodes.find((node) => node.id === id)?.title ?? "");
  const condition = usePage((state) => state.linkingCondition);
  const moved = usePage((state) => state.linkingEdge);
  const [parent = "", ...others] = parents;
  const isSeveral = others.length > 0;
  const chosen = child !== undefined && (isSeveral || child !== parent);
  const refusal =
    !chosen || isSeveral
      ? undefined
      : moved === undefined
        ? connectionRefusal(plan, parent, child, condition)
        : movedRefusal(plan, moved, parent, child);
  const all = chosen && isSeveral ? connectionsTo(plan, parents, "parent", child) : undefined;
  const isRefused = refusal !== undefined || all?.connections.length === 0;

  return (
    <div className="absolute top-3 left-1/2 z-20 flex max-w-[70%] w-max -translate-x-1/2 items-center gap-3 rounded-card bg-overlay py-1.5 pr-1.5 pl-3 shadow-float">
      <p className="min-w-0">
        <span className="text-muted">
          {moved === undefined ? "Connect " : "Move the edge from "}
        </span>
        <span className="font-medium">
          {isSeveral ? formatCount(parents.length, "node") : titleOf(parent)}
        </span>
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
        {all && all.skipped !== "" && (
          <span className={classes("block text-12", isRefused ? "text-danger-fg" : "text-muted")}>
            {all.skipped}
          </span>
        )}
      </p>
      <Button size="small" kind="primary" disabled={!chosen || isRefused} onClick={edit.link}>
        {moved === undefined ? "Connect" : "Move here"} <Kbd keys="Enter" />
      </Button>
      <Button size="small" kind="ghost" onClick={() => page.setState({ linking: undefined })}>
        Cancel <Kbd keys="Escape" />
      </Button>
    </div>
  );
}
