/** Whether two answers, or parts of them, say the same; in which objects and in which order of keys does not count. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return false;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => isDeepEqual(item, other[at]))
    );
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  // No set of keys is made: whole plans are compared while somebody waits.
  return (
    Object.keys(left).every((key) => isDeepEqual(left[key], right[key])) &&
    Object.keys(right).every((key) => Object.hasOwn(left, key) || right[key] === undefined)
  );
}
