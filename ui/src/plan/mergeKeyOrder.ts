/**
 * The order of the keys of `onto` after a change of a list: what it took away is gone, what it put in stands after what it
 * stood after, and what it put in another order is in that order. Of two orders the one of `to` stays. Knows keys only.
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

/** The keys of `ordered` in their order, in the places of `keys` where any of them stood. */
function reorderInPlace(keys: readonly string[], ordered: readonly string[]): string[] {
  const moved = new Set(ordered);
  let next = 0;
  return keys.map((key) => {
    if (!moved.has(key)) return key;
    next += 1;
    return ordered[next - 1] ?? key;
  });
}

/** `keys` with those of `to` that are missing, each after the one that it follows there. */
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
