import { useMemo } from "react";
import { useOperation } from "@/api/queries";
import { type AvailableTools, collectTools } from "./availableTools";

/**
 * Listing tools starts the servers, so the result is cached until the settings change or this time
 * has passed.
 */
const servedFor = 10 * 60_000;

/**
 * Returns the tools that nodes can call: the built-in ones, and those of the servers in the
 * settings.
 */
export function useAvailableTools(): AvailableTools & { loading: boolean } {
  const own = useOperation("tools_list", {}).data;
  const served = useOperation("tools_of_servers", {}, { staleTime: servedFor, retry: false });
  const servers = useOperation("tool_servers_list", {}).data;
  const offered = useMemo(
    () => collectTools(own ?? [], served.data ?? [], servers ?? []),
    [own, served.data, servers],
  );
  return { ...offered, loading: served.isFetching };
}
