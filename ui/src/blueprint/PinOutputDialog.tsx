import { type ReactElement, useState } from "react";
import type { NodeId, NodeOutputPin } from "@/api/bindings";
import { useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { CodeField } from "@/components/CodeField";
import { Dialog } from "@/components/Dialog";
import { Skeleton } from "@/components/Skeleton";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { nodesById } from "@/plan/nodesById";
import { displayTitle } from "@/plan/nodeText";
import { PinnedOutputFields } from "./PinnedOutputFields";
import {
  areOutputs,
  fromOutputRows,
  outputRowError,
  type PinnedOutputRow,
  toOutputRows,
} from "./pinnedOutputRows";

/**
 * Pins the output of a node: its handoff in the shown run, edited if wanted, or a typed text with
 * named outputs.
 */
export function PinOutputDialog(): ReactElement | null {
  const { page } = useBlueprint();
  const node = usePage((state) => state.pinningOutput);
  if (node === undefined) return null;
  return <OpenDialog node={node} onClose={() => page.setState({ pinningOutput: undefined })} />;
}

function OpenDialog({ node, onClose }: { node: NodeId; onClose: () => void }): ReactElement {
  const plan = useEditor((state) => state.plan);
  const run = useEditor((state) => state.run?.summary);
  const artifact = useEditor(
    (state) => state.run?.nodes.find((candidate) => candidate.node === node)?.artifact ?? null,
  );
  const pins = useOperation("pinned_outputs", { plan: plan.id });
  const handoff = useOperation(
    "artifact_get",
    { artifact: artifact ?? "" },
    { enabled: artifact !== null },
  );
  const pin = useMutationOperation("node_output_pin");
  const [draft, setDraft] = useState<string>();
  const [draftRows, setDraftRows] = useState<PinnedOutputRow[]>();
  const earlier = pins.data?.outputs.find((output) => output.node === node);
  const fromRun = handoff.data?.content.text;
  const isLoading = pins.isPending || (artifact !== null && handoff.isPending);
  const text = draft ?? earlier?.text ?? fromRun ?? "";
  const reads = pins.data?.reads.filter((read) => read.node === node) ?? [];
  const ofRun = handoff.data?.content.outputs ?? {};
  const rows = draftRows ?? toOutputRows(earlier?.outputs ?? ofRun, reads);
  const outputs = fromOutputRows(rows);
  const isInvalid =
    text.trim() === "" || rows.some((_, at) => outputRowError(rows, at) !== undefined);
  const isOfRun = text === fromRun && areOutputs(outputs, ofRun);
  const input: NodeOutputPin = {
    plan: plan.id,
    node,
    run: fromRun !== undefined && run ? run.id : null,
    text: text === fromRun ? null : text,
    ...(!areOutputs(outputs, ofRun) && { outputs }),
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Pin the output of ${displayTitle(nodesById(plan).get(node)?.title ?? "")}`}
      description="Runs with pinned outputs use it instead of running the node. Other runs don't."
      width={640}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={pin.isPending}
            disabled={isInvalid || isLoading}
            onClick={() => pin.mutate(input, { onSuccess: onClose })}
          >
            Pin output
          </Button>
        </>
      }
    >
      {isLoading ? (
        <Skeleton width="60%" />
      ) : (
        <div className="flex flex-col gap-3">
          <CodeField label="Output" language="markdown" value={text} onChange={setDraft} />
          <PinnedOutputFields rows={rows} reads={reads} onChange={setDraftRows} />
        </div>
      )}
      {!isLoading && fromRun !== undefined && run && !isOfRun && (
        <Button
          size="small"
          className="self-start"
          onClick={() => {
            setDraft(fromRun);
            setDraftRows(toOutputRows(ofRun, reads));
          }}
        >
          Use the handoff of run #{run.number}
        </Button>
      )}
      {pin.error && (
        <p role="alert" className="text-12 text-danger-fg">
          {pin.error.message}
        </p>
      )}
    </Dialog>
  );
}
