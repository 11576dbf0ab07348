import { expect, test } from "vitest";
import type { CommandScope } from "./command";
import { reservedChordReason } from "./reservedChords";

test.each<[string, CommandScope, boolean, RegExp | undefined]>([
  ["Mod+N", "everywhere", false, /browser keeps these keys: it opens a window/],
  ["Mod+7", "blueprint", false, /changes tabs/],
  ["Alt+F4", "everywhere", false, /system keeps/],
  ["Mod+H", "everywhere", true, /hides the program/],
  ["Mod+H", "everywhere", false, undefined],
  ["Meta+K", "everywhere", false, /desktop keeps/],
  ["Mod+Alt+F2", "everywhere", false, /change the screen/],
  ["Mod+V", "nodes", false, /every program/],
  ["Shift+Tab", "nodes", false, /moves the focus/],
  ["Enter", "blueprint", false, /what has the focus/],
  ["Enter", "nodes", false, undefined],
  ["Mod+Enter", "blueprint", false, undefined],
  ["G", "blueprint", false, undefined],
])("%s for a command of scope %s, on a Mac: %s", (chord, scope, mac, words) => {
  const refusal = reservedChordReason(chord, scope, mac);
  if (words) expect(refusal).toMatch(words);
  else expect(refusal).toBeUndefined();
});
