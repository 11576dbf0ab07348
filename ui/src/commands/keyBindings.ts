import { useMemo } from "react";
import { getAppStateValue, useAppState } from "@/shell/appState";
import { type CommandId, commandIds, definitionOf } from "./catalog";
import { isChord } from "./chord";

/** Under this name of the app state stands what a person bound anew: `{ version: 1, keys: { undo: ["Mod+U"] } }`. */
export const storageKey = "keys";
export const storageVersion = 1;

/** The keys of every command as they are bound now. */
export interface KeyBindings {
  keysOf: (id: CommandId) => readonly string[];
  /** The commands that a chord may mean; which of them, is decided by where it is pressed. */
  commandsOf: (chord: string) => readonly CommandId[];
}

/**
 * The bindings that a stored value makes of the defaults. The value comes from a file that another Baton may have written:
 * what is not understood counts as if it were not there, and stays in the file.
 */
export function parseKeyBindings(stored: unknown): KeyBindings {
  const own = customKeys(stored);
  const byCommand = new Map<CommandId, readonly string[]>();
  const byChord = new Map<string, CommandId[]>();
  for (const id of commandIds) {
    const { keys: defaults, handledBySystem: fixed } = definitionOf(id);
    const keys = (!fixed && own(id)) || defaults;
    byCommand.set(id, keys);
    // What the system does by itself is no key press of ours.
    if (fixed) continue;
    for (const chord of keys) byChord.set(chord, [...(byChord.get(chord) ?? []), id]);
  }
  return {
    keysOf: (id) => byCommand.get(id) ?? [],
    commandsOf: (chord) => byChord.get(chord) ?? [],
  };
}

/** What a person bound by command, where it can be understood. */
function customKeys(stored: unknown): (id: CommandId) => readonly string[] | undefined {
  const { version, keys } = asRecord(stored);
  if (version !== storageVersion) return () => undefined;
  const byId = asRecord(keys);
  return (id) => {
    const own = Object.hasOwn(byId, id) ? byId[id] : undefined;
    const understood =
      Array.isArray(own) && own.every((chord) => typeof chord === "string" && isChord(chord));
    return understood ? own : undefined;
  };
}

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

let latest: { stored: unknown; bindings: KeyBindings } | undefined;

/** The bindings of this moment. */
export function keyBindings(): KeyBindings {
  const stored = getAppStateValue(storageKey);
  if (latest?.stored !== stored || !latest) latest = { stored, bindings: parseKeyBindings(stored) };
  return latest.bindings;
}

/** The bindings, drawn anew when they change. */
export function useKeyBindings(): KeyBindings {
  const stored = useAppState(({ ui }) => ui[storageKey]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `keyBindings` reads the very value that is named here.
  return useMemo(keyBindings, [stored]);
}

/** The key of a command as menus show it, at this moment; empty when it has none. */
export function keysFor(id: CommandId): string {
  return keyBindings().keysOf(id)[0] ?? "";
}

/** The same for components, which follow when a person binds it anew. */
export function useKeysFor(id: CommandId): string {
  return useKeyBindings().keysOf(id)[0] ?? "";
}
