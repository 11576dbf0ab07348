import { expect, test } from "vitest";
import { catalog, commandIds, definitionOf } from "./catalog";
import { appCommands } from "./catalog/app";
import { arrangeCommands } from "./catalog/arrange";
import { blueprintCommands } from "./catalog/blueprint";
import { editCommands } from "./catalog/edit";
import { groupCommands } from "./catalog/group";
import { localCommands } from "./catalog/local";
import { nodeCommands } from "./catalog/node";
import { runCommands } from "./catalog/run";
import { selectCommands } from "./catalog/select";
import { viewCommands } from "./catalog/view";
import { isShortcut } from "./chord";
import { groupOrder } from "./command";
import { parseKeyBindings } from "./keyBindings";
import { conflictingCommand } from "./rebindKeys";
import { reservedChordReason } from "./reservedChords";

const parts = [
  appCommands,
  blueprintCommands,
  editCommands,
  selectCommands,
  viewCommands,
  runCommands,
  nodeCommands,
  groupCommands,
  arrangeCommands,
  localCommands,
];

test("each id is defined in only one part of the catalog", () => {
  const ids = parts.flatMap((part) => Object.keys(part));
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys(catalog)).toHaveLength(ids.length);
});

test("no two commands in the same scope share a default shortcut or a label", () => {
  const twice = commandIds.flatMap((id) =>
    definitionOf(id).keys.filter((chord) => conflictingCommand(chord, id) !== undefined),
  );
  expect(twice).toEqual([]);
  const words = commandIds.map((id) => definitionOf(id).label);
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
});

test.each(commandIds)("%s follows the conventions for commands", (id) => {
  const { label, group, keys, scope, handledBySystem } = definitionOf(id);
  expect(label).toMatch(/^[A-Z].*[^.!]$/);
  expect(groupOrder).toContain(group);
  expect(keys.filter((chord) => !isShortcut(chord))).toEqual([]);
  if (handledBySystem) return;
  for (const mac of [false, true])
    expect(keys.map((chord) => reservedChordReason(chord, scope, mac)).filter(Boolean)).toEqual([]);
});

test("shortcuts handled by the system are never dispatched", () => {
  const { commandsOf, keysOf } = parseKeyBindings(undefined);
  expect(commandsOf("Mod+C")).toEqual([]);
  expect(keysOf("copy")).toEqual(["Mod+C"]);
  expect(commandsOf("Mod+Z")).toEqual(["undo"]);
});

test.each<[string, keyof typeof catalog]>([
  ["N", "add"],
  ["Mod+Z", "undo"],
  ["Mod+Shift+Z", "redo"],
  ["Mod+Y", "redo"],
  ["Mod+C", "copy"],
  ["Mod+X", "cut"],
  ["Mod+V", "paste"],
  ["Mod+D", "duplicate"],
  ["Mod+Shift+V", "paste_keeping"],
  ["Delete", "delete"],
  ["Mod+Delete", "delete_heal"],
  ["F2", "rename"],
  ["Mod+G", "group"],
  ["Mod+Shift+G", "ungroup"],
  ["Alt+G", "collapse"],
  ["Shift+Alt+G", "expand"],
  ["Shift+S", "note"],
  ["Shift+Alt+T", "tidy"],
  ["1", "fit"],
  ["2", "zoom_selection"],
  ["0", "zoom_actual"],
  ["ArrowRight", "walk_right"],
  ["Shift+ArrowLeft", "select_upstream"],
  ["Shift+ArrowRight", "select_downstream"],
  ["Mod+F", "find"],
  ["Mod+K", "palette"],
  ["Mod+Enter", "run"],
  ["Mod+Shift+Enter", "run_selected"],
  ["Mod+.", "stop"],
  ["?", "keys"],
  ["G R", "go_runs"],
  ["G H", "go_help"],
  ["G ,", "go_settings"],
])("%s has its conventional meaning: %s", (chord, id) => {
  expect(parseKeyBindings(undefined).keysOf(id)).toContain(chord);
});
