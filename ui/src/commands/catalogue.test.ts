import { expect, test } from "vitest";
import { bindingsOf } from "./bindings";
import { catalogue, commandIds, definitionOf } from "./catalogue";
import { appCommands } from "./catalogue/app";
import { arrangeCommands } from "./catalogue/arrange";
import { blueprintCommands } from "./catalogue/blueprint";
import { editCommands } from "./catalogue/edit";
import { groupCommands } from "./catalogue/group";
import { localCommands } from "./catalogue/local";
import { nodeCommands } from "./catalogue/node";
import { runCommands } from "./catalogue/run";
import { selectCommands } from "./catalogue/select";
import { viewCommands } from "./catalogue/view";
import { isChord } from "./chord";
import { groupOrder } from "./command";
import { holderOf } from "./rebinding";
import { chordRefusal } from "./reserved";

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

test("an id is in one part of the catalogue only", () => {
  const ids = parts.flatMap((part) => Object.keys(part));
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys(catalogue)).toHaveLength(ids.length);
});

test("no two commands have the same key in one place, or the same words, from the start", () => {
  const twice = commandIds.flatMap((id) =>
    definitionOf(id).keys.filter((chord) => holderOf(chord, id) !== undefined),
  );
  expect(twice).toEqual([]);
  const words = commandIds.map((id) => definitionOf(id).words);
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
});

test.each(commandIds)("%s is written as commands are", (id) => {
  const { words, group, keys, scope, fixed } = definitionOf(id);
  expect(words).toMatch(/^[A-Z].*[^.!]$/);
  expect(groupOrder).toContain(group);
  expect(keys.filter((chord) => !isChord(chord))).toEqual([]);
  if (fixed) return;
  for (const mac of [false, true])
    expect(keys.map((chord) => chordRefusal(chord, scope, mac)).filter(Boolean)).toEqual([]);
});

test("what the system does by itself is no key of ours", () => {
  const { commandsOf, keysOf } = bindingsOf(undefined);
  expect(commandsOf("Mod+C")).toEqual([]);
  expect(keysOf("copy")).toEqual(["Mod+C"]);
  expect(commandsOf("Mod+Z")).toEqual(["undo"]);
});

test.each<[string, keyof typeof catalogue]>([
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
])("%s is what people know it for: %s", (chord, id) => {
  expect(bindingsOf(undefined).keysOf(id)).toContain(chord);
});
