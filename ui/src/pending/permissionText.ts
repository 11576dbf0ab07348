import type { Answer, Grant, RequestedToolCall } from "@/api/bindings";

/** Describes an answer after it was sent. */
export function describeAnswer(answer: Answer): string {
  switch (answer.kind) {
    case "allow_once":
      return "Allowed once. The session continues.";
    case "allow_node":
      return "Allowed for this node. The session continues.";
    case "allow_plan":
      return "Allowed for this blueprint. The session continues.";
    case "deny":
      return "Denied. The session continues.";
  }
}

/** Formats command prefixes: "`git log` or `head`". */
export function formatCommandPrefixes(begins: readonly string[]): string {
  return begins.map((words) => `\`${words}\``).join(" or ");
}

/**
 * Describes what a permission for the node or the blueprint would cover. `begins` are the chosen
 * prefixes.
 */
export function describePermissionScope(
  { tool, command }: RequestedToolCall,
  begins: readonly string[] = [],
): string {
  const what =
    begins.length > 0
      ? `all commands that begin with ${formatCommandPrefixes(begins)}`
      : command === null
        ? `all calls of ${tool}`
        : "exactly this command";
  return `For this node: ${what}, in this run. For this blueprint: the same in all nodes and later runs, until a new version changes this node.`;
}

/** Formats a granted permission on one line. */
export function formatGrant({ tool, command, begins = false }: Grant): string {
  if (command === null) return tool;
  return begins ? `${tool}: commands that begin with ${command}` : `${tool}: ${command}`;
}
