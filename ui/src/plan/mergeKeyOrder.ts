/**
 * Applies a change of a list of keys to `onto`: removed keys are gone, inserted keys follow the key
 * that they followed in `to`, and reordered keys take the new order. If both sides reordered keys,
 * the order in `to` wins.
 */
export function mergeKeyOrder(
  from: readonly string[],
  to: readonly string[],
  onto: readonly string[],
): string[] {
  const [before, after, now] = [new Set(from), new Set(to), new Set(onto)];
  const left = onto.filter((key) => after.has(key) || !before.has(key));
  const common = (keys: readonly string[]) =>
    keys.filter((key) => before.has(key) && after.has(key) && now.has(key));
  const [ordered, old] = [common(to), common(from)];
  const isMoved = ordered.some((key, at) => key !== old[at]);
  const inOrder = isMoved ? reorderInPlace(left, ordered) : left;
  return insertMissing(inOrder, to);
}

/** Puts the keys of `ordered` into their order, using only the places that they had in `keys`. */
function reorderInPlace(keys: readonly string[], ordered: readonly string[]): string[] {
  const moved = new Set(ordered);
  let next = 0;
  return keys.map((key) => {
    if (!moved.has(key)) return key;
    next += 1;
    return ordered[next - 1] ?? key;
  });
}

/** Inserts the missing keys of `to` into `keys`, each after the key that it follows in `to`. */
function insertMissing(keys: readonly string[], to: readonly string[]): string[] {
  const there = new Set(keys);
  const following = new Map<string | undefined, string[]>();
  let last: string | undefined;
  for (const key of to) {
    if (there.has(key)) last = key;
    else {
      const others = following.get(last);
      if (others) others.push(key);
      else following.set(last, [key]);
    }
  }
  if (following.size === 0) return [...keys];
  return [
    ...(following.get(undefined) ?? []),
    ...keys.flatMap((key) => [key, ...(following.get(key) ?? [])]),
  ];
}
