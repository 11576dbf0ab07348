/**
 * Whether two values are structurally equal. The order of keys doesn't matter, and a missing key
 * equals `undefined`.
 */
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
  // Doesn't build a set of keys: whole plans are compared while someone waits.
  return (
    Object.keys(left).every((key) => isDeepEqual(left[key], right[key])) &&
    Object.keys(right).every((key) => Object.hasOwn(left, key) || right[key] === undefined)
  );
}
