import type { ReactElement } from "react";
import type { Node, Plan } from "@/api/bindings";
import { Combobox } from "@/components/Combobox";
import type { FieldProps } from "@/components/Field";
import type { SelectOption } from "@/components/Select";
import { type EdgeCondition, targetOf } from "@/plan/conditionalEdges";
import { useEditor } from "@/plan/editor";
import { setWay } from "@/plan/edits";
import { displayTitle } from "@/plan/nodeText";
import { connectionRefusal, refusalText, refusedEnds } from "@/plan/reachability";

export interface TargetFieldProps extends FieldProps {
  node: Node;
  way: EdgeCondition;
  /** The label for no target. */
  nowhere: string;
  /** The name of the undo step. */
  act: string;
}

// Stands for no target. Node IDs are longer.
const none = "-";

/** The target of a branch or jump. Nodes that come before it are disabled with the reason. */
export function TargetField(props: TargetFieldProps): ReactElement {
  const { node, way, nowhere, act, ...field } = props;
  const plan = useEditor((editor) => editor.plan);
  const edit = useEditor((editor) => editor.edit);
  const target = targetOf(node, way);

  return (
    <Combobox
      {...field}
      value={[target ?? none]}
      emptyText="No matches"
      selectedText={target === null ? nowhere : titleOf(plan, target)}
      options={() => [{ id: none, label: nowhere }, ...offers(plan, node, way)]}
      onChange={([chosen]) =>
        chosen !== undefined &&
        edit(act, (now) => setWay(now, node.id, way, chosen === none ? null : chosen))
      }
    />
  );
}

function titleOf(plan: Plan, id: string): string {
  const target = plan.nodes.find((other) => other.id === id);
  return target ? displayTitle(target.title) : "Deleted node";
}

function offers(plan: Plan, node: Node, way: EdgeCondition): SelectOption<string>[] {
  const target = targetOf(node, way);
  const refused = refusedEnds(plan, node.id, "parent", way);
  const others = plan.nodes
    .filter((other) => other.id !== node.id && other.kind.kind !== "note")
    .map((other) => {
      const label = displayTitle(other.title);
      return other.id !== target && refused.has(other.id)
        ? { id: other.id, label, note: whyNot(plan, node.id, other.id, way), disabled: true }
        : { id: other.id, label };
    });
  const isGone = target !== null && !others.some(({ id }) => id === target);
  return isGone ? [...others, { id: target, label: titleOf(plan, target) }] : others;
}

/**
 * Above this number of nodes, cycles are not explained: searching them for 10,000 nodes takes
 * seconds.
 */
const maxExplained = 300;

function whyNot(plan: Plan, parent: string, child: string, way: EdgeCondition): string {
  const refusal =
    plan.nodes.length > maxExplained ? undefined : connectionRefusal(plan, parent, child, way);
  return refusal ? refusalText(refusal, plan) : "comes before this node";
}
