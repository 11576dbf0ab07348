import type { OperationInput, OperationName } from "@/api/operation";
import { useMutationOperation } from "@/api/queries";

/** Hears in words what was done. */
export type OnDone = ((words: string) => void) | undefined;

/** An act whose success is told in words, also when what asked for it has left the page meanwhile. */
export function useAction<O extends OperationName>(name: O, onDone: OnDone) {
  const { mutateAsync, isPending, isSuccess, error, variables } = useMutationOperation(name);
  return {
    act: (input: OperationInput<O>, words: string) =>
      void mutateAsync(input).then(
        () => onDone?.(words),
        // The refusal stands beside the buttons.
        () => undefined,
      ),
    isPending,
    isSuccess,
    error: error?.message,
    variables,
  };
}
