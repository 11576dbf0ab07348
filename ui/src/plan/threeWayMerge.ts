import { isDeepEqual } from "@/api/isDeepEqual";
import { mergeKeyOrder } from "./mergeKeyOrder";

/** How to handle what both sides changed: report a collision, or let the merged change win. */
export type ConflictRule = "collide" | "change_wins";

/** How items of a list are identified and merged. */
export interface ListItemMerge<Item> {
  keyOf: (item: Item) => string;
  /** The name of an item in messages. */
  nameOf: (item: Item) => string;
  merged: (from: Item, to: Item, onto: Item) => Item;
  /** Reports whether an item has not changed, so that it may be deleted. */
  unchanged: (from: Item, onto: Item) => boolean;
}

/**
 * Merges the change from one value to another into a third, which was changed elsewhere: plain
 * values, fields of objects, and lists of items with keys. Collects the names of what both sides
 * changed differently.
 */
export class ThreeWayMerge {
  readonly collisions = new Set<string>();
  readonly #rule: ConflictRule;

  constructor(rule: ConflictRule) {
    this.#rule = rule;
  }

  value<Value>(from: Value, to: Value, onto: Value, name: string): Value {
    if (isDeepEqual(from, to) || isDeepEqual(to, onto)) return onto;
    if (!isDeepEqual(from, onto)) {
      if (this.#rule === "change_wins") return to;
      this.collisions.add(name);
    }
    return to;
  }

  /** Merges each field separately. Fields in `apart` stay as in `onto`. */
  fields<Fields extends object>(
    from: Fields,
    to: Fields,
    onto: Fields,
    name: string,
    apart: readonly (keyof Fields)[] = [],
  ): Fields {
    if (from === to) return onto;
    const keys = new Set([...Object.keys(from), ...Object.keys(to)] as (keyof Fields)[]);
    for (const key of apart) keys.delete(key);
    const result = { ...onto };
    for (const key of keys) {
      const value = this.value(from[key], to[key], onto[key], name);
      if (value === undefined) delete result[key];
      else result[key] = value;
    }
    return isDeepEqual(result, onto) ? onto : result;
  }

  /** Merges added, removed and changed items; for their order see `mergeKeyOrder`. */
  list<Item>(
    from: readonly Item[],
    to: readonly Item[],
    onto: Item[],
    merge: ListItemMerge<Item>,
  ): Item[] {
    if (from === to) return onto;
    const [was, is, now] = [from, to, onto].map(
      (items) => new Map(items.map((item) => [merge.keyOf(item), item])),
    );
    if (!was || !is || !now) return onto;
    const items = new Map<string, Item>();
    for (const key of new Set([...now.keys(), ...is.keys()])) {
      const item = this.#item(was.get(key), is.get(key), now.get(key), merge);
      if (item !== undefined) items.set(key, item);
    }
    const order = mergeKeyOrder([...was.keys()], [...is.keys()], [...now.keys()]);
    const known = new Set(order);
    const rest = [...items.keys()].filter((key) => !known.has(key));
    const result = [...order, ...rest].flatMap((key) => items.get(key) ?? []);
    const same = result.length === onto.length && result.every((item, at) => item === onto[at]);
    return same ? onto : result;
  }

  #item<Item>(
    was: Item | undefined,
    is: Item | undefined,
    now: Item | undefined,
    merge: ListItemMerge<Item>,
  ): Item | undefined {
    if (was === is) return now;
    if (was !== undefined && is !== undefined) {
      if (now !== undefined) return merge.merged(was, is, now);
      return this.#decide(isDeepEqual(was, is), merge.nameOf(is), undefined, is);
    }
    if (is === undefined) {
      if (was === undefined || now === undefined) return undefined;
      return this.#decide(merge.unchanged(was, now), merge.nameOf(now), undefined, undefined);
    }
    if (now === undefined) return is;
    return this.#decide(isDeepEqual(is, now), merge.nameOf(now), now, is);
  }

  /** Returns `agreed` if both sides agree; otherwise applies the conflict rule. */
  #decide<Item>(agree: boolean, name: string, agreed: Item, changed: Item): Item {
    if (agree) return agreed;
    if (this.#rule === "collide") this.collisions.add(name);
    return changed;
  }
}
