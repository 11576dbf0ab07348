/** A layered graph of any size, with 1.3 edges per node and fixed positions. */

/** @param {number} size */
export function graphOf(size) {
  const rows = size >= 10_000 ? 100 : 25;
  const nodes = Array.from({ length: size }, (_, at) => ({
    id: `n${at}`,
    title: `Node ${at} does something`,
    x: Math.floor(at / rows) * 284,
    y: (at % rows) * 104,
  }));
  const edges = nodes.slice(rows).flatMap(({ id }, place) => {
    const at = place + rows;
    const column = Math.floor(at / rows) - 1;
    const aslant = column * rows + ((at * 7) % rows);
    const parents = new Set([at - rows, ...(at % 10 < 3 ? [aslant] : [])]);
    return [...parents].map((parent) => ({ parent: `n${parent}`, child: id }));
  });
  return { nodes, edges };
}

/**
 * Returns the graph as a plan file of commands without effect.
 *
 * @param {number} size
 */
export function planOf(size) {
  const { nodes, edges } = graphOf(size);
  const parents = new Map();
  for (const { parent, child } of edges)
    parents.set(child, [...(parents.get(child) ?? []), parent]);
  return {
    baton: 1,
    title: titleOf(size),
    nodes: nodes.map(({ id, title, x, y }) => ({
      id,
      title,
      kind: "command",
      command: "true",
      position: { x, y },
      ...(parents.has(id) && { dependsOn: parents.get(id) }),
    })),
  };
}

/** @param {number} size */
export function titleOf(size) {
  return `Graph of ${size} nodes`;
}
