import type { Node, NodeId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { useEditor } from "@/plan/editor";
import type { ReferenceableNode } from "./referenceExtension";
import { ancestorNodes } from "./references";

/**
 * Returns the nodes that a node's texts can reference. Outputs are known only for parents that have
 * run.
 */
export function useReferenceableNodes(node: Node): ReferenceableNode[] {
  const plan = useEditor((editor) => editor.plan);
  const run = useEditor((editor) => editor.runId);
  const inRun = useEditor((editor) => editor.run?.nodes.some(({ node: id }) => id === node.id));
  const context = useOperation(
    "node_context",
    { run: run ?? "", node: node.id },
    { enabled: run !== undefined && inRun === true },
  );
  const outputsOf = (id: NodeId) =>
    Object.keys(context.data?.parents.find((parent) => parent.node === id)?.outputs ?? {});

  return ancestorNodes(plan, node.id).map(({ id, slug, title }) => ({
    slug,
    title,
    outputs: outputsOf(id),
  }));
}
