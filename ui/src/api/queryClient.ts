import { onlineManager, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./ApiError";
import type { BackendConnection } from "./Backend";

const maxRetryDelayMs = 3_000;

// The backend is on this machine: whether the machine has a network is irrelevant.
onlineManager.setEventListener(() => () => {});

/**
 * Creates the query cache. Events keep it current, so queries don't become stale by time or focus.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        // After a reconnection, the events say what to refetch; only paused queries continue.
        refetchOnReconnect: false,
        // Only an unreachable backend is worth a retry. Once the connection counts as lost, the
        // query pauses, and continues with the connection.
        retry: (tries, cause) =>
          tries < 4 && cause instanceof ApiError && cause.code === "unreachable",
        retryDelay: (tries) => Math.min(250 * 2 ** tries, maxRetryDelayMs),
      },
      // Never paused or repeated: a person must learn at once that nothing happened.
      mutations: { networkMode: "always" },
    },
  });
}

/** Pauses queries while the connection is lost. Returns a function that stops this. */
export function pauseQueriesWhileDisconnected(
  connection: BackendConnection | undefined,
): () => void {
  const update = () => onlineManager.setOnline(connection?.state() !== "reconnecting");
  update();
  const unsubscribe = connection?.subscribe(update);
  return () => {
    unsubscribe?.();
    onlineManager.setOnline(true);
  };
}
