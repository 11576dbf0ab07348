import { useQueryClient } from "@tanstack/react-query";
import type { NodeId, RunId } from "@/api/bindings";
import type { OperationInput, OperationOutput } from "@/api/operation";
import { operationKey, useMutationOperation, useOperation } from "@/api/queries";

/** What stands apart from the directory. The work of the chosen nodes counts; none chosen: of all. */
export function useMergeBack(run: RunId, nodes: NodeId[] | null, enabled = true) {
  return useOperation(
    "run_home",
    { run, nodes },
    // The person changes files without Baton hearing of it.
    { enabled, staleTime: 0, placeholderData: (before) => before },
  );
}

type MergeBackOperation = "run_bring_home" | "run_home_undo" | "run_home_agent" | "worktree_remove";

/** An act on work that stands apart. Files are no part of a run's history, so what was read is read again here. */
export function useMergeBackMutation<A extends MergeBackOperation>(name: A) {
  const client = useQueryClient();
  const { mutate, isPending, error, variables, reset } = useMutationOperation(name);
  const readAgain = () => {
    void client.invalidateQueries({ queryKey: operationKey("run_home") });
    void client.invalidateQueries({ queryKey: operationKey("worktrees_list") });
  };
  return {
    act: (input: OperationInput<A>, onDone?: (output: OperationOutput<A>) => void) =>
      mutate(input, {
        onSuccess: (output) => onDone?.(output),
        onSettled: readAgain,
      }),
    isPending,
    error: error?.message,
    variables,
    reset,
  };
}
