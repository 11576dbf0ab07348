import { afterEach, expect, test } from "vitest";
import { getAppStateValue, resetAppState, setAppStateValue } from "@/shell/appState";
import { keyBindings, storageKey } from "./keyBindings";
import {
  bindKey,
  canRebind,
  conflictingCommand,
  isRebound,
  resetAllKeys,
  resetKeys,
  unbindKey,
  updateStoredKeys,
} from "./rebindKeys";

afterEach(resetAppState);

const keysOf = (id: Parameters<typeof bindKey>[0]) => keyBindings().keysOf(id);

test("a bound key is added to the command and removed from others", () => {
  expect(conflictingCommand("Mod+D", "tidy")).toBe("duplicate");
  bindKey("tidy", "Mod+D");
  expect(keysOf("tidy")).toEqual(["Shift+Alt+T", "Mod+D"]);
  expect(keysOf("duplicate")).toEqual([]);
  expect(keyBindings().commandsOf("Mod+D")).toEqual(["tidy"]);
});

test("removing a shortcut, and restoring the default from another command", () => {
  unbindKey("redo", "Mod+Y");
  expect(keysOf("redo")).toEqual(["Mod+Shift+Z"]);
  bindKey("undo", "Mod+Shift+Z");
  expect(keysOf("redo")).toEqual([]);
  resetKeys("redo");
  expect(keysOf("redo")).toEqual(["Mod+Shift+Z", "Mod+Y"]);
  expect(keysOf("undo")).toEqual(["Mod+Z"]);
  expect(isRebound("undo", keysOf("undo"))).toBe(false);
});

test("system shortcuts count as conflicts", () => {
  expect(conflictingCommand("Mod+C", "undo")).toBe("copy");
});

test("defaults are not stored, and unknown entries are kept", () => {
  const stored = { version: 1, keys: { fly: ["F4"], undo: ["Mod+U"] }, note: "mine" };
  expect(updateStoredKeys(stored, new Map([["undo", ["Mod+Z"]]]))).toEqual({
    version: 1,
    keys: { fly: ["F4"] },
    note: "mine",
  });
  setAppStateValue(storageKey, stored);
  resetAllKeys();
  expect(getAppStateValue(storageKey)).toEqual({ version: 1, keys: { fly: ["F4"] }, note: "mine" });
});

test("a value that cannot be parsed is kept next to the new shortcuts", () => {
  expect(updateStoredKeys(["Mod+U"], new Map([["undo", ["Mod+U"]]]))).toEqual({
    version: 1,
    keys: { undo: ["Mod+U"] },
    before: ["Mod+U"],
  });
});

test("shortcuts stored by a newer version are left alone", () => {
  const stored = { version: 2, chords: [] };
  setAppStateValue(storageKey, stored);
  expect(canRebind()).toBe(false);
  bindKey("tidy", "Mod+D");
  expect(getAppStateValue(storageKey)).toBe(stored);
});

test("a key that begins other shortcuts conflicts with them", () => {
  expect(conflictingCommand("G", "tidy")).toBe("go_blueprints");
  expect(conflictingCommand("G R", "tidy")).toBe("go_runs");
  expect(conflictingCommand("G X", "tidy")).toBeUndefined();
  bindKey("tidy", "G X");
  expect(keyBindings().sequencesAfter("G")).toContain("tidy");
  bindKey("tidy", "G");
  expect(keysOf("tidy"), "the shortcut that began with it is gone").not.toContain("G X");
  expect(keysOf("go_runs")).toEqual([]);
  expect(keysOf("go_settings")).toEqual(["Mod+,"]);
});
