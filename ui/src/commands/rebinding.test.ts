import { afterEach, expect, test } from "vitest";
import { forgetAppState, remember, remembered } from "@/shell/appState";
import { bindings, storedName } from "./bindings";
import {
  bind,
  holderOf,
  isRebound,
  mayRebind,
  resetAllKeys,
  resetKeys,
  storedWith,
  unbind,
} from "./rebinding";

afterEach(forgetAppState);

const keysOf = (id: Parameters<typeof bind>[0]) => bindings().keysOf(id);

test("a key that is bound counts beside the others, and is taken from whoever had it", () => {
  expect(holderOf("Mod+D", "tidy")).toBe("duplicate");
  bind("tidy", "Mod+D");
  expect(keysOf("tidy")).toEqual(["Shift+Alt+T", "Mod+D"]);
  expect(keysOf("duplicate")).toEqual([]);
  expect(bindings().commandsOf("Mod+D")).toEqual(["tidy"]);
});

test("a command gives its keys up, and gets the first ones again from whoever has them", () => {
  unbind("redo", "Mod+Y");
  expect(keysOf("redo")).toEqual(["Mod+Shift+Z"]);
  bind("undo", "Mod+Shift+Z");
  expect(keysOf("redo")).toEqual([]);
  resetKeys("redo");
  expect(keysOf("redo")).toEqual(["Mod+Shift+Z", "Mod+Y"]);
  expect(keysOf("undo")).toEqual(["Mod+Z"]);
  expect(isRebound("undo", keysOf("undo"))).toBe(false);
});

test("what the system does by itself has its keys too", () => {
  expect(holderOf("Mod+C", "undo")).toBe("copy");
});

test("the first keys are not stored, and what is not known here stays", () => {
  const stored = { version: 1, keys: { fly: ["F4"], undo: ["Mod+U"] }, note: "mine" };
  expect(storedWith(stored, new Map([["undo", ["Mod+Z"]]]))).toEqual({
    version: 1,
    keys: { fly: ["F4"] },
    note: "mine",
  });
  remember(storedName, stored);
  resetAllKeys();
  expect(remembered(storedName)).toEqual({ version: 1, keys: { fly: ["F4"] }, note: "mine" });
});

test("what cannot be understood is kept beside the new keys", () => {
  expect(storedWith(["Mod+U"], new Map([["undo", ["Mod+U"]]]))).toEqual({
    version: 1,
    keys: { undo: ["Mod+U"] },
    before: ["Mod+U"],
  });
});

test("keys of a newer Baton are left alone", () => {
  const stored = { version: 2, chords: [] };
  remember(storedName, stored);
  expect(mayRebind()).toBe(false);
  bind("tidy", "Mod+D");
  expect(remembered(storedName)).toBe(stored);
});
