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

/** The cache key of one operation with one input; the name alone stands for all its inputs. */
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

/** Reads by an operation and stays current: events of the backend make it read again. */
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

/** Acts by an operation. What it changed comes back as events, so callers invalidate nothing. */
export function useMutationOperation<O extends OperationName>(
  name: O,
): UseMutationResult<OperationOutput<O>, ApiError, OperationInput<O>> {
  const backend = useBackend();
  return useMutation({ mutationFn: (input: OperationInput<O>) => backend.call(name, input) });
}
