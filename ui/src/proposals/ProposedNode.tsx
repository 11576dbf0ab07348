import type { ReactElement } from "react";
import type { Node } from "@/api/bindings";
import { criterionText } from "@/plan/criterion";
import { KindIcon } from "@/plan/KindIcon";
import { kindSummary } from "@/plan/kindSummary";

/** A node of a proposal in full: prompt, instructions and acceptance criteria. */
export function ProposedNode({ node }: { node: Node }): ReactElement {
  const text = ("prompt" in node.kind && node.kind.prompt) || node.description || kindSummary(node);
  const criteria = node.acceptanceCriteria;
  return (
    <div className="flex select-text flex-col gap-1.5 rounded-card border bg-canvas p-2.5">
      <p className="flex items-center gap-1.5 break-words font-medium">
        <KindIcon kind={node.kind.kind} />
        {node.title || node.slug}
      </p>
      <p className="whitespace-pre-wrap break-words text-12">{text}</p>
      {node.instructions && (
        <p className="whitespace-pre-wrap break-words text-12 text-muted">{node.instructions}</p>
      )}
      {criteria.length > 0 && (
        <ul className="list-disc pl-4 text-12 text-muted">
          {criteria.map(criterionText).map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
