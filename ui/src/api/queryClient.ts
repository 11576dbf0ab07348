import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./ApiError";

/** The cache of answers. Events keep it current, so time and focus do not make an answer old. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The backend is on this machine: whether there is a network says nothing about it.
        networkMode: "always",
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        // A refusal stays a refusal; only an absent backend is worth another try.
        retry: (tries, cause) =>
          tries < 2 && cause instanceof ApiError && cause.code === "unreachable",
      },
      mutations: { networkMode: "always" },
    },
  });
}
