import { CornerLeftUp } from "lucide-react";
import type { ReactElement } from "react";
import { useSearchParams } from "react-router";
import type { NodeId, PlanId, RunView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { useRun } from "@/api/useRun";
import { ButtonLink } from "@/components/ButtonLink";
import { useEditor } from "@/plan/editor";
import { titleWords } from "@/plan/nodeWords";
import { paths } from "@/shell/paths";

/** The way back to the node in which this blueprint was opened, or for which this run stands; nothing without one. */
export function WayBack(): ReactElement | null {
  const parent = useEditor((editor) => editor.run?.parent);
  const [search] = useSearchParams();
  const from = search.get("from");
  const node = search.get("fromNode");
  if (parent) return <ToRun parent={parent} />;
  return from !== null && node !== null ? <ToPlan plan={from} node={node} /> : null;
}

function ToRun({ parent }: { parent: NonNullable<RunView["parent"]> }): ReactElement | null {
  const { data } = useRun(parent.run);
  if (!data) return null;
  const { plan, title } = data.summary;
  const node = data.plan.nodes.find(({ id }) => id === parent.node);
  return (
    <Back
      to={paths.blueprintAt(plan, { run: parent.run, node: parent.node })}
      title={title}
      detail={`This run stands for the node “${titleWords(node?.title ?? "")}” there`}
    />
  );
}

function ToPlan({ plan, node }: { plan: PlanId; node: NodeId }): ReactElement | null {
  const { data } = useOperation("plan_get", { plan });
  if (!data) return null;
  return (
    <Back
      to={paths.blueprintNode(plan, node)}
      title={data.plan.title}
      detail="The blueprint from which this one was opened"
    />
  );
}

function Back({ to, title, detail }: { to: string; title: string; detail: string }): ReactElement {
  return (
    <span title={detail} className="flex min-w-0 max-w-56 [&>a]:min-w-0 [&>a]:shrink">
      <ButtonLink size="small" kind="ghost" to={to} aria-label={`Back to ${titleWords(title)}`}>
        <CornerLeftUp />
        <span className="truncate">{titleWords(title)}</span>
      </ButtonLink>
    </span>
  );
}
