import type { ReactElement } from "react";
import type { NodeId, RunId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Section } from "@/components/Section";
import { displayTitle } from "@/plan/nodeText";
import { FanInConflicts } from "./FanInConflicts";
import { FileDeltaList } from "./FileDeltaList";

/**
 * The merge that a node would start with: files by parent, and conflicts. Renders nothing if there
 * is no merge.
 */
export function FanInPreview({ run, node }: { run: RunId; node: NodeId }): ReactElement | null {
  const { data, error } = useOperation("node_fan_in", { run, node }, { staleTime: 0 });
  if (error) {
    return (
      <Section title="Work to merge">
        <p className="select-text break-words text-danger-fg">{error.message}</p>
      </Section>
    );
  }
  if (!data || data.sources.length === 0) return null;
  const { sources, clashes, missing, intoDirectory } = data;
  return (
    <Section title="Work to merge">
      <p className="text-12 text-muted">
        {intoDirectory
          ? "Merged into your directory just before the node starts."
          : "Merged in the node's own worktree. Your directory isn't changed."}
        {missing.length > 0 && ` Not done yet: ${missing.map(displayTitle).join(", ")}.`}
      </p>
      {clashes.length > 0 ? (
        <FanInConflicts clashes={clashes} />
      ) : (
        sources.length > 1 && <p className="text-12">No conflicts.</p>
      )}
      {sources.map((side) => (
        <div key={side.title}>
          <h4 dir="auto" className="break-words font-medium text-12">
            {displayTitle(side.title)}
          </h4>
          {side.files.length === 0 ? (
            <p className="text-12 text-faint">No changed files.</p>
          ) : (
            <FileDeltaList
              label={`Files changed by ${displayTitle(side.title)}`}
              files={side.files}
              leftOut={side.filesLeftOut}
            />
          )}
        </div>
      ))}
    </Section>
  );
}
