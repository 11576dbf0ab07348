import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./ApiError";

/**
 * Creates the query cache. Events keep it current, so queries don't become stale by time or focus.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The backend is on this machine: network state is irrelevant.
        networkMode: "always",
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        // Only an unreachable backend is worth a retry.
        retry: (tries, cause) =>
          tries < 2 && cause instanceof ApiError && cause.code === "unreachable",
      },
      mutations: { networkMode: "always" },
    },
  });
}
