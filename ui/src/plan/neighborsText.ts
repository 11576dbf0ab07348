import type { NodeId, Plan } from "@/api/bindings";
import { formatList } from "@/components/formatList";
import { toSentence } from "@/components/toSentence";
import { displayTitle } from "./nodeText";
import { adjacencyOf } from "./reachability";

/** How many neighbors are listed by name. */
const maxNamedNodes = 4;

/** The neighbors of a node, for screen readers: "After Build, before Publish and Notify". */
export function neighborsText(plan: Plan, id: NodeId): string {
  const { childrenOf, parentsOf } = adjacencyOf(plan);
  const parents = titleList(plan, parentsOf.get(id));
  const children = titleList(plan, childrenOf.get(id));
  const words = [parents && `after ${parents}`, children && `before ${children}`];
  return toSentence(words.filter(Boolean).join(", "));
}

function titleList({ nodes }: Plan, ids: readonly NodeId[] = []): string {
  const first = ids.slice(0, maxNamedNodes);
  const titles = nodes
    .filter(({ id }) => first.includes(id))
    .map(({ title }) => displayTitle(title));
  const more = ids.length - first.length;
  const words = more > 0 ? [...titles, `${more} more`] : titles;
  return formatList(words);
}
