import { useMemo } from "react";
import { getAppStateValue, useAppState } from "@/shell/appState";
import { type CommandId, commandIds, definitionOf } from "./catalog";
import { isShortcut } from "./chord";

/** The app state key of custom shortcuts: `{ version: 1, keys: { undo: ["Mod+U"] } }`. */
export const storageKey = "keys";
export const storageVersion = 1;

/** The current shortcuts of all commands. */
export interface KeyBindings {
  keysOf: (id: CommandId) => readonly string[];
  /** The commands bound to a chord. Which of them runs depends on where the key is pressed. */
  commandsOf: (chord: string) => readonly CommandId[];
  /** The commands whose shortcut is a sequence that begins with a chord. */
  sequencesAfter: (chord: string) => readonly CommandId[];
}

/**
 * Combines stored shortcuts with the defaults. The stored value may come from another version of
 * Baton: entries that are not understood are ignored, and stay in the file.
 */
export function parseKeyBindings(stored: unknown): KeyBindings {
  const own = customKeys(stored);
  const byCommand = new Map<CommandId, readonly string[]>();
  const byChord = new Map<string, CommandId[]>();
  const byStart = new Map<string, CommandId[]>();
  for (const id of commandIds) {
    const { keys: defaults, handledBySystem: fixed } = definitionOf(id);
    const keys = (!fixed && own(id)) || defaults;
    byCommand.set(id, keys);
    // Keys handled by the system never reach the key handler.
    if (fixed) continue;
    for (const chord of keys) {
      byChord.set(chord, [...(byChord.get(chord) ?? []), id]);
      const [start, next] = chord.split(" ");
      if (start !== undefined && next !== undefined)
        byStart.set(start, [...(byStart.get(start) ?? []), id]);
    }
  }
  return {
    keysOf: (id) => byCommand.get(id) ?? [],
    commandsOf: (chord) => byChord.get(chord) ?? [],
    sequencesAfter: (chord) => byStart.get(chord) ?? [],
  };
}

/** Reads custom shortcuts and ignores invalid ones. */
function customKeys(stored: unknown): (id: CommandId) => readonly string[] | undefined {
  const { version, keys } = asRecord(stored);
  if (version !== storageVersion) return () => undefined;
  const byId = asRecord(keys);
  return (id) => {
    const own = Object.hasOwn(byId, id) ? byId[id] : undefined;
    const understood =
      Array.isArray(own) && own.every((keys) => typeof keys === "string" && isShortcut(keys));
    return understood ? own : undefined;
  };
}

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

let latest: { stored: unknown; bindings: KeyBindings } | undefined;

/** The current shortcuts. */
export function keyBindings(): KeyBindings {
  const stored = getAppStateValue(storageKey);
  if (latest?.stored !== stored || !latest) latest = { stored, bindings: parseKeyBindings(stored) };
  return latest.bindings;
}

/** The current shortcuts; rerenders when they change. */
export function useKeyBindings(): KeyBindings {
  const stored = useAppState(({ ui }) => ui[storageKey]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `keyBindings` reads this value
  return useMemo(keyBindings, [stored]);
}

/** The first shortcut of a command, for menus; empty if it has none. */
export function keysFor(id: CommandId): string {
  return keyBindings().keysOf(id)[0] ?? "";
}

/** Like `keysFor`, for components; rerenders when the shortcut changes. */
export function useKeysFor(id: CommandId): string {
  return useKeyBindings().keysOf(id)[0] ?? "";
}
