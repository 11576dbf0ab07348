import type { NodeId, Plan } from "@/api/bindings";
import { asSentence } from "@/components/sentence";
import { titleWords } from "./nodeWords";
import { adjacencyOf } from "./reachability";

/** Of more neighbors only so many are named. */
const mostNamed = 4;

/** What stands next to a node, for whoever hears it: "After Build, before Publish and Tell". */
export function kinWords(plan: Plan, id: NodeId): string {
  const { childrenOf, parentsOf } = adjacencyOf(plan);
  const parents = named(plan, parentsOf.get(id));
  const children = named(plan, childrenOf.get(id));
  const words = [parents && `after ${parents}`, children && `before ${children}`];
  return asSentence(words.filter(Boolean).join(", "));
}

function named({ nodes }: Plan, ids: readonly NodeId[] = []): string {
  const first = ids.slice(0, mostNamed);
  const titles = nodes.filter(({ id }) => first.includes(id)).map(({ title }) => titleWords(title));
  const more = ids.length - first.length;
  const words = more > 0 ? [...titles, `${more} more`] : titles;
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
