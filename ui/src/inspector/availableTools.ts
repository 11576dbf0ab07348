import type { McpServer, ServerTool, ToolInfo } from "@/api/bindings";

/** What nodes can call here, and which servers did not say what they offer. */
export interface AvailableTools {
  tools: readonly ToolInfo[];
  /** A sentence for each server that could not be asked. */
  silent: readonly string[];
}

/**
 * Baton's own tools and those of the servers as one list: a server's are called `server/tool`. What a server says of
 * itself is a claim: only tools that the settings trust count as harmless. Pure.
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
