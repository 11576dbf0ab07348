import { afterEach, expect, test } from "vitest";
import { resetAppState, setAppStateValue } from "@/shell/appState";
import { keyBindings, keysFor, parseKeyBindings, storageKey } from "./keyBindings";

afterEach(resetAppState);

test("custom shortcuts replace the defaults", () => {
  const { keysOf, commandsOf } = parseKeyBindings({
    version: 1,
    keys: { undo: ["Mod+U"], fit: [] },
  });
  expect(keysOf("undo")).toEqual(["Mod+U"]);
  expect(commandsOf("Mod+Z"), "the default is free").toEqual([]);
  expect(keysOf("fit"), "no key at all").toEqual([]);
  expect(keysOf("redo"), "the others stay").toEqual(["Mod+Shift+Z", "Mod+Y"]);
});

test.each<unknown>([
  null,
  "Mod+Z",
  { version: 2, keys: { undo: ["Mod+U"] } },
  { version: 1 },
  { version: 1, keys: [] },
  { version: 1, keys: { undo: "Mod+U" } },
  { version: 1, keys: { undo: [7] } },
  { version: 1, keys: { undo: ["Hyper+U"] } },
  { version: 1, keys: { fly: ["Mod+U"], toString: ["Mod+U"] } },
  { version: 1, keys: { copy: ["Mod+U"] } },
])("a stored %j is ignored", (stored) => {
  const { keysOf, commandsOf } = parseKeyBindings(stored);
  expect(keysOf("undo")).toEqual(["Mod+Z"]);
  expect(keysOf("copy"), "system shortcuts can't be changed").toEqual(["Mod+C"]);
  expect(commandsOf("Mod+U")).toEqual([]);
});

test("a change takes effect immediately", () => {
  expect(keysFor("undo")).toBe("Mod+Z");
  setAppStateValue(storageKey, { version: 1, keys: { undo: [] } });
  expect(keysFor("undo")).toBe("");
  expect(keyBindings(), "the same as long as nothing changes").toBe(keyBindings());
});
