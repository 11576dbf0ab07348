import {
  type QueryKey,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from "@tanstack/react-query";
import type { ApiError } from "./ApiError";
import { useBackend } from "./backendContext";
import type { OperationInput, OperationName, OperationOutput } from "./operation";

/** Returns the cache key of an operation with an input; without one, the key matches all inputs. */
export function operationKey<O extends OperationName>(
  name: O,
  input?: OperationInput<O>,
): QueryKey {
  return input === undefined ? [name] : [name, input];
}

type ReadOptions<O extends OperationName> = Omit<
  UseQueryOptions<OperationOutput<O>, ApiError>,
  "queryKey" | "queryFn"
>;

/** Reads an operation's output and stays current: backend events trigger a refetch. */
export function useOperation<O extends OperationName>(
  name: O,
  input: OperationInput<O>,
  options?: ReadOptions<O>,
): UseQueryResult<OperationOutput<O>, ApiError> {
  const backend = useBackend();
  return useQuery({
    ...options,
    queryKey: operationKey(name, input),
    queryFn: () => backend.call(name, input),
  });
}

/**
 * Calls an operation that changes something. The backend sends events for the changes, so callers
 * needn't invalidate anything.
 */
export function useMutationOperation<O extends OperationName>(
  name: O,
): UseMutationResult<OperationOutput<O>, ApiError, OperationInput<O>> {
  const backend = useBackend();
  return useMutation({ mutationFn: (input: OperationInput<O>) => backend.call(name, input) });
}
