import type { NodeId, Plan } from "@/api/bindings";

const maxLength = 80;

/** Why `slug` cannot be the id of the node; `undefined` when it can. The same rule as the backend's. */
export function slugError(plan: Plan, id: NodeId, slug: string): string | undefined {
  if (slug === "") return "Every node needs an id. Plan files and references use it.";
  if (slug.length > maxLength) return `Use at most ${maxLength} characters.`;
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(slug)) {
    return "Use letters, digits, “-” and “_”, beginning with a letter or digit.";
  }
  const other = plan.nodes.find((node) => node.slug === slug && node.id !== id);
  return other && `“${other.title}” has this id already. Choose another one.`;
}
