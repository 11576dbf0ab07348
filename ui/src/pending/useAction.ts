import type { OperationInput, OperationName } from "@/api/operation";
import { useMutationOperation } from "@/api/queries";

/** Receives a description of the completed action. */
export type OnDone = ((words: string) => void) | undefined;

/** A mutation that calls `onDone` on success, even if the component was unmounted meanwhile. */
export function useAction<O extends OperationName>(name: O, onDone: OnDone) {
  const { mutateAsync, isPending, isSuccess, error, variables } = useMutationOperation(name);
  return {
    act: (input: OperationInput<O>, words: string) =>
      void mutateAsync(input).then(
        () => onDone?.(words),
        // `ActionRow` shows the error.
        () => undefined,
      ),
    isPending,
    isSuccess,
    error: error?.message,
    variables,
  };
}
