import { expect, test } from "vitest";
import { bindingOf, bindings, type KeyPress, keysFor, reaches } from "./keymap";

const press = (key: string, held: Partial<KeyPress> = {}) =>
  bindingOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held })?.act;

test("every act has a key and no key has two acts", () => {
  const keys = bindings.flatMap((binding) => binding.keys);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keysFor("undo")).toBe("Mod+Z");
});

test("modifiers decide", () => {
  expect(press("z", { ctrlKey: true })).toBe("undo");
  expect(press("Z", { ctrlKey: true, shiftKey: true })).toBe("redo");
  expect(press("y", { metaKey: true })).toBe("redo");
  expect(press("z")).toBeUndefined();
  expect(press("T", { shiftKey: true, altKey: true })).toBe("tidy");
  expect(press("1")).toBe("fit");
  expect(press("1", { ctrlKey: true })).toBeUndefined();
});

test("a letter with Shift is another key, a sign with Shift is the sign", () => {
  expect(press("N", { shiftKey: true })).toBeUndefined();
  expect(press("?", { shiftKey: true })).toBe("help");
  expect(press("?")).toBe("help");
  expect(press("+", { shiftKey: true })).toBe("zoom_in");
});

test("keys never act while somebody writes, nor in dialogs and menus", () => {
  document.body.innerHTML = `
    <div data-keys="nodes"><div id="node"></div><input id="rename"></div>
    <button id="button"></button>
    <div role="dialog"><button id="dialog"></button></div>
    <div role="menu"><div id="menu"></div></div>`;
  const at = (id: string) => document.getElementById(id);
  expect(reaches(at("rename"), "page")).toBe(false);
  expect(reaches(at("dialog"), "page")).toBe(false);
  expect(reaches(at("menu"), "nodes")).toBe(false);
  expect(reaches(at("node"), "nodes")).toBe(true);
  expect(reaches(document.body, "nodes")).toBe(true);
  expect(reaches(at("button"), "nodes"), "Enter belongs to the button").toBe(false);
  expect(reaches(at("button"), "page")).toBe(true);
});
