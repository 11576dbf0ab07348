import { expect, test } from "vitest";
import { chordsOf, isChord, type KeyPress, recordedChord } from "./chord";

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

test.each<[string, KeyPress, boolean, string[]]>([
  ["a letter", press("z"), false, ["Z"]],
  ["Control on other systems", press("z", { ctrlKey: true }), false, ["Mod+Z"]],
  ["Command on a Mac", press("z", { metaKey: true }), true, ["Mod+Z"]],
  ["Control on a Mac is not Mod", press("z", { ctrlKey: true }), true, ["Ctrl+Z"]],
  ["the Windows key is not Mod", press("z", { metaKey: true }), false, ["Meta+Z"]],
  ["Shift with a letter", press("N", { shiftKey: true }), false, ["Shift+N"]],
  ["a symbol with Shift", press("?", { shiftKey: true, code: "Slash" }), false, ["Shift+?", "?"]],
  ["a named key", press("ArrowUp"), false, ["ArrowUp"]],
  ["the space bar", press(" "), false, ["Space"]],
  ["a modifier alone", press("Shift", { shiftKey: true }), false, []],
  [
    "Option produces a symbol on a Mac",
    press("†", { altKey: true, shiftKey: true, code: "KeyT" }),
    true,
    ["Shift+Alt+T", "Shift+Alt+†", "Alt+†", "Shift+Alt+T"],
  ],
  ["a Cyrillic keyboard", press("я", { ctrlKey: true, code: "KeyZ" }), false, ["Mod+Я", "Mod+Z"]],
  [
    "a digit on a French keyboard",
    press("1", { shiftKey: true, code: "Digit1" }),
    false,
    ["Shift+1", "1"],
  ],
  [
    "a symbol typed with AltGr",
    press("@", {
      ctrlKey: true,
      altKey: true,
      code: "KeyQ",
      getModifierState: (key) => key === "AltGraph",
    }),
    false,
    ["Q", "@", "Q"],
  ],
])("%s", (_, event, mac, chords) => {
  expect(chordsOf(event, mac)).toEqual(chords);
});

test.each([
  [press("?", { shiftKey: true, code: "Slash" }), "?"],
  [press("K", { shiftKey: true, ctrlKey: true, code: "KeyK" }), "Mod+Shift+K"],
  [press("F2"), "F2"],
  [press("†", { altKey: true, code: "KeyT" }), "Alt+T"],
  [press("Control", { ctrlKey: true }), undefined],
])("%j is recorded as %s", (event, chord) => {
  expect(recordedChord(event, false)).toBe(chord);
});

test.each([
  "Z",
  "Mod+Shift+Z",
  "?",
  "+",
  "Mod++",
  "F12",
  "ArrowUp",
  "Space",
  "Shift+Alt+T",
  "Ctrl+Z",
  "1",
])("%s is a chord", (text) => expect(isChord(text)).toBe(true));

test.each([
  "",
  "z",
  "Mod",
  "Shift+Mod+Z",
  "Mod+",
  "Mod+Mod+Z",
  "Hyper+Z",
  " ",
  "Mod+ZZ+",
  "x".repeat(90),
])("%j is not a chord", (text) => expect(isChord(text)).toBe(false));
