import type { ReactElement } from "react";
import type { Plan } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";

/**
 * The nodes of a plan before it is imported, each with the nodes that it waits for. Inferred edges
 * are dashed, because they only follow from the order of tasks and have to be confirmed.
 */
export function ImportedNodes({ plan }: { plan: Plan }): ReactElement | null {
  if (plan.nodes.length === 0) return null;
  const titles = new Map(plan.nodes.map(({ id, title }) => [id, title]));
  return (
    <details className="text-12">
      <summary>{`${formatCount(plan.nodes.length, "node")} of ${plan.title}`}</summary>
      <ol className="flex select-text list-decimal flex-col gap-1 py-2 pl-8">
        {plan.nodes.map(({ id, title }) => (
          <li key={id} className="break-words">
            {title}
            <ul aria-label="Waits for" className="flex flex-wrap gap-x-3 text-muted">
              {plan.edges
                .filter(({ child }) => child === id)
                .map(({ parent, inferred }) => (
                  <li
                    key={parent}
                    className={`border-b ${inferred ? "border-dashed" : "border-solid"}`}
                  >
                    {inferred ? "inferred: after " : "after "}
                    {titles.get(parent)}
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ol>
    </details>
  );
}
