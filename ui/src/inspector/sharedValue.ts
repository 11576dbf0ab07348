import type { Node } from "@/api/bindings";

/** Returns the value that all nodes share, undefined if they differ. */
export function sharedValue<Value>(
  nodes: readonly Node[],
  read: (node: Node) => Value,
): Value | undefined {
  const [first] = nodes;
  if (!first) return undefined;
  const value = read(first);
  return nodes.every((node) => read(node) === value) ? value : undefined;
}
