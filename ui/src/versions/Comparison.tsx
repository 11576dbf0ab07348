import { type ReactElement, useEffect, useMemo, useState } from "react";
import type { Plan, PlanDiff, PlanId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { type LocalCommandId, localCommandFor } from "@/commands/localCommands";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { ProposalGraph } from "@/graph/ProposalGraph";
import { SplitPanels } from "@/shell/SplitPanels";
import { changedNodes, changesBetween } from "./planChanges";
import { VersionChangeList } from "./VersionChangeList";

/** Loads two versions and their differences. */
export function Comparison({
  plan,
  from,
  to,
}: {
  plan: PlanId;
  from: number;
  to: number;
}): ReactElement {
  const earlier = useOperation("plan_version_get", { plan, version: from });
  const later = useOperation("plan_version_get", { plan, version: to });
  const diff = useOperation("plan_compare", { plan, from, to });
  const error = earlier.error ?? later.error ?? diff.error;
  if (error)
    return (
      <ErrorState title="Couldn't compare the versions" detail={error.code}>
        {error.message}
      </ErrorState>
    );
  if (!earlier.data || !later.data || !diff.data)
    return (
      <div className="p-4">
        <Skeleton />
      </div>
    );
  return <VersionDiff earlier={earlier.data} later={later.data} diff={diff.data} />;
}

const steps: Partial<Record<LocalCommandId, number>> = { versions_next: 1, versions_previous: -1 };

/** One graph of both versions, and the list of changes with keyboard navigation. */
export function VersionDiff({
  earlier,
  later,
  diff,
}: {
  earlier: Plan;
  later: Plan;
  diff: PlanDiff;
}): ReactElement {
  const changes = useMemo(() => changesBetween(earlier, later, diff), [earlier, later, diff]);
  const [at, setAt] = useState<number>();
  const change = at === undefined ? undefined : changes[at];
  const count = changes.length;

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const id = localCommandFor("versions", event);
      const step = id && steps[id];
      const inField =
        event.target instanceof HTMLElement && event.target.closest("input, [role=listbox]");
      if (!step || count === 0 || inField) return;
      event.preventDefault();
      setAt((before) => wrappedStep(before, step, count));
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [count]);

  if (later.nodes.length === 0 && earlier.nodes.length === 0 && count === 0)
    return <EmptyState title="Neither version has nodes" />;
  const nodes = change ? changedNodes(change) : [];
  return (
    <SplitPanels
      id="versions.side"
      orientation="horizontal"
      label="Resize changes"
      main={
        <ProposalGraph
          view={{ draft: later, base: earlier, diff }}
          label="Graph of both versions"
          selected={nodes[0]}
          shown={nodes}
          onSelect={(node) => {
            const found = changes.findIndex(
              (one) => node !== undefined && changedNodes(one).includes(node),
            );
            setAt(found < 0 ? undefined : found);
          }}
        />
      }
      side={
        <VersionChangeList
          changes={changes}
          at={at}
          onGo={setAt}
          onStep={(step) => setAt(wrappedStep(at, step, count))}
        />
      }
    />
  );
}

/** Returns the next index in the list, wrapping at both ends. */
function wrappedStep(at: number | undefined, step: number, count: number): number {
  if (at === undefined) return step > 0 ? 0 : count - 1;
  return (at + step + count) % count;
}
