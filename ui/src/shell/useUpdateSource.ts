import { useQuery } from "@tanstack/react-query";
import type { UpdateSource } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";

/** The source of updates for this window; undefined in a browser, and while loading. */
export function useUpdateSource(): UpdateSource | undefined {
  const { updates } = useBackend();
  const source = useQuery({
    queryKey: ["updateSource"],
    queryFn: () => updates?.source() ?? null,
    enabled: updates !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return source.data ?? undefined;
}
