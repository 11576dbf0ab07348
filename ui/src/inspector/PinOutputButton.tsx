import { Pin } from "lucide-react";
import type { ReactElement } from "react";
import type { NodeId, RunView } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";

/** Pins the handoff of a finished node in the blueprint, for runs with pinned outputs. */
export function PinOutputButton({ run, node }: { run: RunView; node: NodeId }): ReactElement {
  const pin = useMutationOperation("node_output_pin");
  const input = { plan: run.summary.plan, node, run: run.summary.id, text: null };
  return (
    <>
      <Button
        size="small"
        busy={pin.isPending}
        title="Runs with pinned outputs use it instead of running the node"
        onClick={() => pin.mutate(input)}
      >
        <Pin />
        Pin this output
      </Button>
      <span role="status" className="self-center text-12 text-muted">
        {pin.isSuccess && "Pinned"}
      </span>
      {pin.error && (
        <p role="alert" className="w-full text-12 text-danger-fg">
          {pin.error.message}
        </p>
      )}
    </>
  );
}
