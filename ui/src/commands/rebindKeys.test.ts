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

test("a key that is bound counts beside the others, and is taken from whoever had it", () => {
  expect(conflictingCommand("Mod+D", "tidy")).toBe("duplicate");
  bindKey("tidy", "Mod+D");
  expect(keysOf("tidy")).toEqual(["Shift+Alt+T", "Mod+D"]);
  expect(keysOf("duplicate")).toEqual([]);
  expect(keyBindings().commandsOf("Mod+D")).toEqual(["tidy"]);
});

test("a command gives its keys up, and gets the first ones again from whoever has them", () => {
  unbindKey("redo", "Mod+Y");
  expect(keysOf("redo")).toEqual(["Mod+Shift+Z"]);
  bindKey("undo", "Mod+Shift+Z");
  expect(keysOf("redo")).toEqual([]);
  resetKeys("redo");
  expect(keysOf("redo")).toEqual(["Mod+Shift+Z", "Mod+Y"]);
  expect(keysOf("undo")).toEqual(["Mod+Z"]);
  expect(isRebound("undo", keysOf("undo"))).toBe(false);
});

test("what the system does by itself has its keys too", () => {
  expect(conflictingCommand("Mod+C", "undo")).toBe("copy");
});

test("the first keys are not stored, and what is not known here stays", () => {
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

test("what cannot be understood is kept beside the new keys", () => {
  expect(updateStoredKeys(["Mod+U"], new Map([["undo", ["Mod+U"]]]))).toEqual({
    version: 1,
    keys: { undo: ["Mod+U"] },
    before: ["Mod+U"],
  });
});

test("keys of a newer Baton are left alone", () => {
  const stored = { version: 2, chords: [] };
  setAppStateValue(storageKey, stored);
  expect(canRebind()).toBe(false);
  bindKey("tidy", "Mod+D");
  expect(getAppStateValue(storageKey)).toBe(stored);
});
