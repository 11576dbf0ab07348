import { CornerLeftUp } from "lucide-react";
import type { ReactElement } from "react";
import { useSearchParams } from "react-router";
import type { HandledRun, NodeId, PlanId, RunView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { useRun } from "@/api/useRun";
import { ButtonLink } from "@/components/ButtonLink";
import { quoteTitle } from "@/components/quotedTitle";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";

/**
 * Links back to the parent node: the one that this run executes, or from which this blueprint was
 * opened. The run of an error handler links to the run that failed.
 */
export function ParentLink(): ReactElement | null {
  const parent = useEditor((editor) => editor.run?.parent);
  const handles = useEditor((editor) => editor.run?.handles);
  const [search] = useSearchParams();
  const from = search.get("from");
  const node = search.get("fromNode");
  if (parent) return <ParentRunLink parent={parent} />;
  if (handles && !handles.isDeleted) return <FailedRunLink failed={handles} />;
  return from !== null && node !== null ? <ParentPlanLink plan={from} node={node} /> : null;
}

function ParentRunLink({
  parent,
}: {
  parent: NonNullable<RunView["parent"]>;
}): ReactElement | null {
  const { data } = useRun(parent.run);
  if (!data) return null;
  const { plan, title } = data.summary;
  const node = data.plan.nodes.find(({ id }) => id === parent.node);
  return (
    <BackLink
      to={paths.blueprintAt(plan, { run: parent.run, node: parent.node })}
      title={title}
      detail={`This run executes the node ${quoteTitle(displayTitle(node?.title ?? ""))} of that blueprint`}
    />
  );
}

function FailedRunLink({ failed }: { failed: HandledRun }): ReactElement {
  const title = `#${failed.number} of ${displayTitle(failed.title)}`;
  return (
    <BackLink
      to={paths.blueprintAt(failed.plan, { run: failed.run })}
      title={title}
      detail={`This run was started after the failure of ${title}`}
    />
  );
}

function ParentPlanLink({ plan, node }: { plan: PlanId; node: NodeId }): ReactElement | null {
  const { data } = useOperation("plan_get", { plan });
  if (!data) return null;
  return (
    <BackLink
      to={paths.blueprintNode(plan, node)}
      title={data.plan.title}
      detail="Opened from this blueprint"
    />
  );
}

function BackLink({
  to,
  title,
  detail,
}: {
  to: string;
  title: string;
  detail: string;
}): ReactElement {
  return (
    <span title={detail} className="flex min-w-0 max-w-56 [&>a]:min-w-0 [&>a]:shrink">
      <ButtonLink size="small" kind="ghost" to={to} aria-label={`Back to ${displayTitle(title)}`}>
        <CornerLeftUp />
        <span dir="auto" className="truncate">
          {displayTitle(title)}
        </span>
      </ButtonLink>
    </span>
  );
}
