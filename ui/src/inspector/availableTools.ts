import type { McpServer, ServerTool, ToolInfo } from "@/api/bindings";

/** The tools that nodes can call, and the servers that failed to list theirs. */
export interface AvailableTools {
  tools: readonly ToolInfo[];
  /** One sentence for each server that didn't respond. */
  silent: readonly string[];
}

/**
 * Combines Baton's own tools and those of the servers, which are named `server/tool`. What a server
 * says about its tools is only a claim: all except those trusted in the settings are guarded. Pure.
 */
export function collectTools(
  own: readonly ToolInfo[],
  ofServers: readonly ServerTool[],
  servers: readonly McpServer[],
): AvailableTools {
  const tools = [...own];
  const silent: string[] = [];
  for (const row of ofServers) {
    if ("error" in row) {
      silent.push(`${row.server}: ${row.error}`);
      continue;
    }
    tools.push({
      name: `${row.server}/${row.name}`,
      description: row.description,
      guarded: !isTrusted(servers, row.server, row.name),
      arguments: row.inputSchema,
    });
  }
  return { tools, silent };
}

function isTrusted(servers: readonly McpServer[], name: string, tool: string): boolean {
  const trusted = servers.find((server) => server.name === name)?.trusted ?? [];
  return trusted.includes(tool) || trusted.includes("*");
}
