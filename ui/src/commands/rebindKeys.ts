import { getAppStateValue, setAppStateValue } from "@/shell/appState";
import { type CommandId, commandIds, definitionOf } from "./catalog";
import { scopesOverlap } from "./command";
import { asRecord, keyBindings, storageKey, storageVersion } from "./keyBindings";

/** Whether what is stored may be changed: keys that a newer Baton stored are left alone. */
export function canRebind(stored: unknown = getAppStateValue(storageKey)): boolean {
  const { version } = asRecord(stored);
  return typeof version !== "number" || version <= storageVersion;
}

/**
 * The stored value with other keys for a command; the defaults are not stored. Keys of commands that this Baton does not
 * know stay, and so does, under `before`, what could not be understood at all.
 */
export function updateStoredKeys(
  stored: unknown,
  changes: ReadonlyMap<CommandId, readonly string[]>,
) {
  const known = asRecord(stored);
  const understood = known.version === storageVersion;
  const keys = { ...(understood ? asRecord(known.keys) : {}) };
  for (const [id, own] of changes) {
    if (isDefault(id, own)) delete keys[id];
    else keys[id] = own;
  }
  const before = stored === undefined || understood ? {} : { before: stored };
  return { ...(understood ? known : before), version: storageVersion, keys };
}

function isDefault(id: CommandId, keys: readonly string[]): boolean {
  const { keys: defaults } = definitionOf(id);
  return keys.length === defaults.length && keys.every((chord, at) => chord === defaults[at]);
}

/** Whether a person bound this command anew. */
export function isRebound(id: CommandId, keys: readonly string[]): boolean {
  return !isDefault(id, keys);
}

/** The commands that have a chord where `id` would have it too. What the system does by itself counts too. */
function commandsBoundTo(chord: string, id: CommandId): CommandId[] {
  const { keysOf } = keyBindings();
  const { scope } = definitionOf(id);
  return commandIds.filter(
    (other) =>
      other !== id &&
      scopesOverlap(scope, definitionOf(other).scope) &&
      keysOf(other).includes(chord),
  );
}

/** The first command that has a chord already, other than `id`. */
export function conflictingCommand(chord: string, id: CommandId): CommandId | undefined {
  return commandsBoundTo(chord, id)[0];
}

/** Gives a command one more key, and takes it from whatever had it. */
export function bindKey(id: CommandId, chord: string): void {
  const { keysOf } = keyBindings();
  const changes = new Map<CommandId, readonly string[]>();
  for (const holder of commandsBoundTo(chord, id))
    changes.set(holder, without(keysOf(holder), chord));
  changes.set(id, [...without(keysOf(id), chord), chord]);
  storeKeys(changes);
}

/** Takes a key from a command. */
export function unbindKey(id: CommandId, chord: string): void {
  storeKeys(new Map([[id, without(keyBindings().keysOf(id), chord)]]));
}

/** Gives a command its first keys again, and takes them from whatever has them now. */
export function resetKeys(id: CommandId): void {
  const { keysOf } = keyBindings();
  const { keys } = definitionOf(id);
  const changes = new Map<CommandId, readonly string[]>([[id, keys]]);
  for (const chord of keys) {
    for (const holder of commandsBoundTo(chord, id))
      changes.set(holder, without(changes.get(holder) ?? keysOf(holder), chord));
  }
  storeKeys(changes);
}

/** Gives all commands their first keys again. What this Baton does not know stays as it is. */
export function resetAllKeys(): void {
  storeKeys(new Map(commandIds.map((id) => [id, definitionOf(id).keys])));
}

function storeKeys(changes: ReadonlyMap<CommandId, readonly string[]>): void {
  const stored = getAppStateValue(storageKey);
  if (canRebind(stored)) setAppStateValue(storageKey, updateStoredKeys(stored, changes));
}

function without(keys: readonly string[], chord: string): readonly string[] {
  return keys.filter((other) => other !== chord);
}
