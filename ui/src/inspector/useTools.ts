import type { ToolInfo } from "@/api/bindings";
import { useOperation } from "@/api/queries";

const none: readonly ToolInfo[] = [];

/** The tools that nodes can call here: the built-in ones, and those of the servers in the settings. */
export function useTools(): readonly ToolInfo[] {
  return useOperation("tools_list", {}).data ?? none;
}
