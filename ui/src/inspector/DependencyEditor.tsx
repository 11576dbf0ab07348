import { X } from "lucide-react";
import { type ReactElement, type RefObject, useRef } from "react";
import type { Edge, Node, Plan } from "@/api/bindings";
import { Combobox } from "@/components/Combobox";
import { IconButton } from "@/components/IconButton";
import { IncrementalList } from "@/components/IncrementalList";
import type { SelectOption } from "@/components/Select";
import { useFocusRecovery } from "@/components/useFocusRecovery";
import {
  conditionalEdgeKey,
  conditionalEdgesIn,
  edgeConditionLabels,
} from "@/plan/conditionalEdges";
import { edgeKey } from "@/plan/edgeKey";
import { useEditor } from "@/plan/editor";
import { connect, removeEdges, setSoft, setWay } from "@/plan/edits";
import { nodesById } from "@/plan/nodesById";
import { displayTitle } from "@/plan/nodeText";
import { adjacencyOf, connectionRefusal, refusalText, refusedEnds } from "@/plan/reachability";
import { nodeFieldError } from "./nodeFieldErrors";

/**
 * The parents of a node, each with a switch between waiting for it and only receiving its handoff.
 */
export function DependencyEditor({ node }: { node: Node }): ReactElement {
  const plan = useEditor((editor) => editor.plan);
  const edit = useEditor((editor) => editor.edit);
  const problems = useEditor((editor) => editor.problems);
  const edges = plan.edges.filter((edge) => edge.child === node.id);
  const ways = conditionalEdgesIn(plan).filter((way) => way.child === node.id);

  const frame = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(frame);

  return (
    <div ref={frame} className="flex flex-col gap-1">
      <span className="font-medium text-12 text-muted">Depends on</span>
      <IncrementalList items={edges} keyOf={({ parent }) => parent} className="flex flex-col gap-1">
        {(edge) => (
          <Dependency
            edge={edge}
            title={titleOf(plan, edge.parent)}
            onSoft={(soft) =>
              edit(soft ? "Make dependency soft" : "Make dependency hard", (now) =>
                setSoft(now, new Set([edgeKey(edge)]), soft),
              )
            }
            onRemove={() =>
              edit("Remove dependency", (now) => removeEdges(now, new Set([edgeKey(edge)])))
            }
          />
        )}
      </IncrementalList>
      <IncrementalList items={ways} keyOf={conditionalEdgeKey} className="flex flex-col gap-1">
        {(way) => (
          <IncomingBranch
            label={edgeConditionLabels[way.kind]}
            title={titleOf(plan, way.parent)}
            onRemove={() => edit("Remove branch", (now) => setWay(now, way.parent, way.kind, null))}
          />
        )}
      </IncrementalList>
      <Combobox
        label="Add dependency"
        labelHidden
        placeholder="Add dependency"
        emptyText="No matches"
        value={[]}
        options={() => offers(plan, node)}
        onChange={([parent]) =>
          parent && edit("Add dependency", (now) => connect(now, parent, node.id))
        }
        error={nodeFieldError(problems, node.id, "dependencies")}
      />
    </div>
  );
}

/** After a row is removed by keyboard, focuses the next row, or the field that adds rows. */
function useFocusAfterRemoval(frame: RefObject<HTMLElement | null>) {
  const place = useRef(0);
  const rows = () => [...(frame.current?.querySelectorAll("li") ?? [])];
  useFocusRecovery(
    frame,
    (last) => {
      // The open list belongs to this element, which is still there.
      if (last.isConnected) return last;
      const row = rows()[place.current] ?? rows().at(-1);
      return row
        ? [...row.querySelectorAll("button")].at(-1)
        : frame.current?.querySelector<HTMLElement>("[role=combobox]");
    },
    (element) => {
      const row = element.closest("li");
      if (row) place.current = rows().indexOf(row);
    },
  );
}

interface IncomingBranchProps {
  label: string;
  title: string;
  onRemove: () => void;
}

/** A branch or jump from another node to this one, which also waits for that node. */
function IncomingBranch({ label, title, onRemove }: IncomingBranchProps): ReactElement {
  return (
    <div className="flex h-7 items-center gap-1 rounded-control border bg-raised pr-0.5 pl-2">
      <span dir="auto" title={title} className="min-w-0 flex-1 truncate">
        {title}
      </span>
      <span className="shrink-0 rounded-full border bg-surface px-1.5 text-11 text-muted">
        {label}
      </span>
      <IconButton
        size="small"
        label={`Remove branch from ${title}, ${label}`}
        icon={<X />}
        onClick={onRemove}
      />
    </div>
  );
}

interface DependencyProps {
  edge: Edge;
  title: string;
  onSoft: (soft: boolean) => void;
  onRemove: () => void;
}

function Dependency({ edge, title, onSoft, onRemove }: DependencyProps): ReactElement {
  return (
    <div className="flex h-7 items-center gap-1 rounded-control border bg-raised pr-0.5 pl-2">
      <span dir="auto" title={title} className="min-w-0 flex-1 truncate">
        {title}
      </span>
      <button
        type="button"
        role="switch"
        aria-checked={!edge.soft}
        aria-label={`Wait for ${title}`}
        title={
          edge.soft
            ? "Doesn't wait for it, but receives its handoff if there is one. Click to wait."
            : "Waits for it and receives its handoff. Click to only receive."
        }
        onClick={() => onSoft(!edge.soft)}
        className="shrink-0 rounded-small px-1.5 text-12 text-muted hover:bg-hover hover:text-fg"
      >
        {edge.soft ? "Receives only" : "Waits"}
      </button>
      <IconButton
        size="small"
        label={`Remove dependency on ${title}`}
        icon={<X />}
        onClick={onRemove}
      />
    </div>
  );
}

function titleOf(plan: Plan, id: string): string {
  return displayTitle(nodesById(plan).get(id)?.title ?? "Missing node");
}

/**
 * Above this number of nodes, cycles are not explained: searching them for 10,000 nodes takes
 * seconds.
 */
const maxExplained = 300;

/**
 * Returns all other nodes as options. Those that cannot be a parent are disabled with the reason.
 */
function offers(plan: Plan, node: Node): SelectOption<string>[] {
  const refused = refusedEnds(plan, node.id, "child");
  const parents = new Set(adjacencyOf(plan).parentsOf.get(node.id));
  return plan.nodes
    .filter((other) => other.id !== node.id && other.kind.kind !== "note" && !parents.has(other.id))
    .map((other) => ({
      id: other.id,
      label: displayTitle(other.title),
      ...(refused.has(other.id) && { note: whyNot(plan, other.id, node.id), disabled: true }),
    }));
}

function whyNot(plan: Plan, parent: string, child: string): string {
  const refusal =
    plan.nodes.length > maxExplained ? undefined : connectionRefusal(plan, parent, child);
  return refusal ? refusalText(refusal, plan) : "comes after this node";
}
