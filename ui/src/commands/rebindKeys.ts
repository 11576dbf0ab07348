import { getAppStateValue, setAppStateValue } from "@/shell/appState";
import { type CommandId, commandIds, definitionOf } from "./catalog";
import { shortcutsCollide } from "./chord";
import { scopesOverlap } from "./command";
import { asRecord, keyBindings, storageKey, storageVersion } from "./keyBindings";

/**
 * Reports whether stored shortcuts may be changed. Those stored by a newer version are left alone.
 */
export function canRebind(stored: unknown = getAppStateValue(storageKey)): boolean {
  const { version } = asRecord(stored);
  return typeof version !== "number" || version <= storageVersion;
}

/**
 * Updates the stored value with other shortcuts; defaults are not stored. Unknown commands are
 * kept. A value that can't be parsed is kept under `before`.
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

/** Reports whether these shortcuts differ from the defaults. */
export function isRebound(id: CommandId, keys: readonly string[]): boolean {
  return !isDefault(id, keys);
}

/**
 * The other commands with a colliding shortcut in an overlapping scope, including those handled by
 * the system.
 */
function commandsBoundTo(chord: string, id: CommandId): CommandId[] {
  const { keysOf } = keyBindings();
  const { scope } = definitionOf(id);
  return commandIds.filter(
    (other) =>
      other !== id &&
      scopesOverlap(scope, definitionOf(other).scope) &&
      keysOf(other).some((keys) => shortcutsCollide(keys, chord)),
  );
}

/** The first other command that already uses the chord. */
export function conflictingCommand(chord: string, id: CommandId): CommandId | undefined {
  return commandsBoundTo(chord, id)[0];
}

/** Adds a shortcut to a command, and removes it from any other. */
export function bindKey(id: CommandId, chord: string): void {
  const { keysOf } = keyBindings();
  const changes = new Map<CommandId, readonly string[]>();
  for (const holder of commandsBoundTo(chord, id))
    changes.set(holder, without(keysOf(holder), chord));
  changes.set(id, [...without(keysOf(id), chord), chord]);
  storeKeys(changes);
}

/** Removes a shortcut from a command. */
export function unbindKey(id: CommandId, chord: string): void {
  storeKeys(new Map([[id, without(keyBindings().keysOf(id), chord)]]));
}

/** Restores the default shortcuts of a command, and removes them from others. */
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

/** Restores the default shortcuts of all commands. Entries of unknown commands are kept. */
export function resetAllKeys(): void {
  storeKeys(new Map(commandIds.map((id) => [id, definitionOf(id).keys])));
}

function storeKeys(changes: ReadonlyMap<CommandId, readonly string[]>): void {
  const stored = getAppStateValue(storageKey);
  if (canRebind(stored)) setAppStateValue(storageKey, updateStoredKeys(stored, changes));
}

function without(keys: readonly string[], chord: string): readonly string[] {
  return keys.filter((other) => !shortcutsCollide(other, chord));
}
