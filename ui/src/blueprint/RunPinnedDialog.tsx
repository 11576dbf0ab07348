import { Pin } from "lucide-react";
import { type ReactElement, type ReactNode, useRef } from "react";
import type { NodeId, PinnedOutputsView, PinnedOutputView } from "@/api/bindings";
import { useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { formatCount } from "@/components/formatCount";
import { formatList } from "@/components/formatList";
import { Skeleton } from "@/components/Skeleton";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { nodesById } from "@/plan/nodesById";
import { displayTitle } from "@/plan/nodeText";

/** Shows what a run with pinned outputs does, before it starts. */
export function RunPinnedDialog(): ReactElement | null {
  const { page } = useBlueprint();
  const open = usePage((state) => state.runPinnedOpen);
  if (!open) return null;
  return <OpenDialog onClose={() => page.setState({ runPinnedOpen: false })} />;
}

function OpenDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { editor } = useBlueprint();
  const plan = useEditor((state) => state.plan.id);
  const { data, error } = useOperation("pinned_outputs", { plan });
  const start = useMutationOperation("run_start_pinned");
  const main = useRef<HTMLButtonElement>(null);
  const canStart = data?.outputs.some(({ used }) => used) ?? false;
  const refusal = start.error ?? error;
  const begin = () =>
    start.mutate(
      { plan, limit: null },
      {
        onSuccess: (run) => {
          editor.getState().showRun(run.summary.id, run);
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      focusFirst={() => main.current}
      title="Run with pinned outputs"
      description="Pinned nodes don't run. Their children receive the pinned output."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            ref={main}
            kind="primary"
            busy={start.isPending || (!data && !error)}
            disabled={data !== undefined && !canStart}
            onClick={begin}
          >
            {data ? `Run ${formatCount(data.runs.length, "node")}` : "Run"}
          </Button>
        </>
      }
    >
      {data ? <Groups view={data} /> : !error && <Skeleton width="60%" />}
      {refusal && (
        <p role="alert" className="text-12 text-danger-fg">
          {refusal.message}
        </p>
      )}
    </Dialog>
  );
}

function Groups({ view }: { view: PinnedOutputsView }): ReactElement {
  const { outputs, runs, leftOut } = view;
  const used = outputs.filter((output) => output.used);
  if (used.length === 0) {
    return (
      <p className="text-muted">
        No node has a pinned output. Pin one in the Handoff tab of a finished node.
      </p>
    );
  }
  const sources = new Map(used.map((pin) => [pin.node, sourceText(pin)]));
  return (
    <div className="flex max-h-[50vh] flex-col gap-3 overflow-y-auto">
      <NodeGroup title="Use their pinned output" nodes={used.map(({ node }) => node)}>
        {(node) => (
          <span className="ml-auto flex max-w-[60%] shrink-0 items-center gap-1 text-12 text-muted">
            <Pin aria-hidden="true" className="size-3 shrink-0" />
            <span className="truncate" title={sources.get(node)}>
              {sources.get(node)}
            </span>
          </span>
        )}
      </NodeGroup>
      <MissingOutputs view={view} />
      <NodeGroup title="Run" nodes={runs} />
      <NodeGroup title="Left out: only pinned nodes need them" nodes={leftOut} />
    </div>
  );
}

/** "typed", or "from run #3: made, count" with named outputs. */
function sourceText({ run, outputs }: PinnedOutputView): string {
  const source = run === null ? "typed" : `from run #${run}`;
  const names = Object.keys(outputs);
  return names.length === 0 ? source : `${source}: ${names.join(", ")}`;
}

/** Warns about named outputs that nodes of the run read from pinned nodes without them. */
function MissingOutputs({ view }: { view: PinnedOutputsView }): ReactElement {
  const plan = useEditor((state) => state.plan);
  const title = (node: NodeId) => displayTitle(nodesById(plan).get(node)?.title ?? "");
  const missing = view.reads.flatMap(({ node, name, by }) => {
    const pin = view.outputs.find((output) => output.used && output.node === node);
    const readers = by.filter((id) => view.runs.includes(id));
    const isMissing = pin && !Object.hasOwn(pin.outputs, name) && readers.length > 0;
    return isMissing ? [{ node, name, readers }] : [];
  });
  return (
    <>
      {missing.map(({ node, name, readers }) => (
        <p key={`${node} ${name}`} className="text-12 text-state-waiting">
          {formatList(readers.map(title))} {readers.length === 1 ? "reads" : "read"} the named
          output <code>{name}</code> of {title(node)}, which isn't pinned.
        </p>
      ))}
    </>
  );
}

interface NodeGroupProps {
  title: string;
  nodes: readonly NodeId[];
  children?: (node: NodeId) => ReactNode;
}

function NodeGroup({ title, nodes, children }: NodeGroupProps): ReactElement | null {
  const plan = useEditor((state) => state.plan);
  if (nodes.length === 0) return null;
  const heading = `${title} (${nodes.length})`;
  return (
    <section>
      <h3 className="mb-1 font-medium text-12 text-muted">{heading}</h3>
      <ul aria-label={title} className="flex flex-col">
        {nodes.map((node) => (
          <li key={node} className="flex min-w-0 items-center gap-2 py-0.5">
            <span dir="auto" className="truncate">
              {displayTitle(nodesById(plan).get(node)?.title ?? "")}
            </span>
            {children?.(node)}
          </li>
        ))}
      </ul>
    </section>
  );
}
