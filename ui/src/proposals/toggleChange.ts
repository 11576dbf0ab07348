/**
 * Selects or deselects a change, and returns the keys that are deselected then. Selecting a change
 * selects those that it needs; deselecting it deselects those that need it. `required` lists the
 * positions of what each change needs directly.
 */
export function toggleChange(
  keys: readonly string[],
  required: readonly (readonly number[])[],
  left: ReadonlySet<string>,
  key: string,
): Set<string> {
  const next = new Set(left);
  const selects = next.has(key);
  const neighbors = (at: number) =>
    selects
      ? (required[at] ?? [])
      : keys.flatMap((_, other) => (required[other]?.includes(at) ? other : []));
  const open = [keys.indexOf(key)];
  const seen = new Set(open);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const found = keys[at];
    if (found === undefined) continue;
    if (selects) next.delete(found);
    else next.add(found);
    for (const other of neighbors(at)) {
      if (seen.has(other)) continue;
      seen.add(other);
      open.push(other);
    }
  }
  return next;
}
