import { useMemo } from "react";
import { useOperation } from "@/api/queries";
import { type AvailableTools, collectTools } from "./availableTools";

/** Servers are started to be asked, so they are asked again only when the settings change or after a while. */
const servedFor = 10 * 60_000;

/** The tools that nodes can call here: the built-in ones, and those of the servers in the settings. */
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
