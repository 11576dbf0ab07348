import { useQueryClient } from "@tanstack/react-query";
import type { NodeId, RunId } from "@/api/bindings";
import type { OperationInput, OperationOutput } from "@/api/operation";
import { operationKey, useMutationOperation, useOperation } from "@/api/queries";

/** Loads the work that is outside the directory, of the given nodes or of all if null. */
export function useMergeBack(run: RunId, nodes: NodeId[] | null, enabled = true) {
  return useOperation(
    "run_home",
    { run, nodes },
    // Files can change without a notification to Baton.
    { enabled, staleTime: 0, placeholderData: (before) => before },
  );
}

type MergeBackOperation = "run_bring_home" | "run_home_undo" | "run_home_agent" | "worktree_remove";

/**
 * Runs a merge operation. Files are not part of a run's history, so this reloads what depends on
 * them.
 */
export function useMergeBackMutation<A extends MergeBackOperation>(name: A) {
  const client = useQueryClient();
  const { mutate, isPending, error, variables, reset } = useMutationOperation(name);
  const reload = () => {
    void client.invalidateQueries({ queryKey: operationKey("run_home") });
    void client.invalidateQueries({ queryKey: operationKey("worktrees_list") });
  };
  return {
    act: (input: OperationInput<A>, onDone?: (output: OperationOutput<A>) => void) =>
      mutate(input, {
        onSuccess: (output) => onDone?.(output),
        onSettled: reload,
      }),
    isPending,
    error: error?.message,
    variables,
    reset,
  };
}
