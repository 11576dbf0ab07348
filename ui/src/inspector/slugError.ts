import type { NodeId, Plan } from "@/api/bindings";
import { quoteTitle } from "@/components/quotedTitle";

const maxLength = 80;

/**
 * Returns why `slug` can't be the ID of the node, undefined if it can. Same rule as in the backend.
 */
export function slugError(plan: Plan, id: NodeId, slug: string): string | undefined {
  if (slug === "") return "Enter an ID. Plan files and references use it.";
  if (slug.length > maxLength) return `Use at most ${maxLength} characters.`;
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(slug)) {
    return "Use letters, digits, “-” and “_”. Start with a letter or digit.";
  }
  const other = plan.nodes.find((node) => node.slug === slug && node.id !== id);
  return other && `${quoteTitle(other.title)} already has this ID. Choose another one.`;
}
