import type { ReactElement } from "react";
import type { Node, Plan } from "@/api/bindings";
import { Combobox } from "@/components/Combobox";
import type { FieldProps } from "@/components/Field";
import type { SelectOption } from "@/components/Select";
import { useEditor } from "@/plan/editor";
import { setWay } from "@/plan/edits";
import { titleWords } from "@/plan/nodeWords";
import { connectionRefusal, refusalWords, refusedEnds } from "@/plan/reachability";
import { targetOf, type WayKind } from "@/plan/ways";

export interface TargetFieldProps extends FieldProps {
  node: Node;
  way: WayKind;
  /** What stands for no target. */
  nowhere: string;
  /** The name of the step of undo. */
  act: string;
}

// Ids of nodes are never this short.
const none = "-";

/** Where a branch or jump of a node leads. Nodes that come before it are shown with the reason and cannot be chosen. */
export function TargetField(props: TargetFieldProps): ReactElement {
  const { node, way, nowhere, act, ...field } = props;
  const plan = useEditor((editor) => editor.plan);
  const edit = useEditor((editor) => editor.edit);
  const target = targetOf(node, way);

  return (
    <Combobox
      {...field}
      value={[target ?? none]}
      emptyText="No node matches"
      words={target === null ? nowhere : titleOf(plan, target)}
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
  return target ? titleWords(target.title) : "A node that is gone";
}

function offers(plan: Plan, node: Node, way: WayKind): SelectOption<string>[] {
  const target = targetOf(node, way);
  const refused = refusedEnds(plan, node.id, "parent", way);
  const others = plan.nodes
    .filter((other) => other.id !== node.id && other.kind.kind !== "note")
    .map((other) => {
      const label = titleWords(other.title);
      return other.id !== target && refused.has(other.id)
        ? { id: other.id, label, note: whyNot(plan, node.id, other.id, way), disabled: true }
        : { id: other.id, label };
    });
  const isGone = target !== null && !others.some(({ id }) => id === target);
  return isGone ? [...others, { id: target, label: titleOf(plan, target) }] : others;
}

/** In a larger plan the way around a cycle is not looked for: for every node of 10,000 that takes seconds. */
const mostExplained = 300;

function whyNot(plan: Plan, parent: string, child: string, way: WayKind): string {
  const refusal =
    plan.nodes.length > mostExplained ? undefined : connectionRefusal(plan, parent, child, way);
  return refusal ? refusalWords(refusal, plan) : "comes before this node";
}
