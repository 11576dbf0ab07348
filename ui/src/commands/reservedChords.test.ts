import { expect, test } from "vitest";
import type { CommandScope } from "./command";
import { reservedChordReason } from "./reservedChords";

test.each<[string, CommandScope, boolean, RegExp | undefined]>([
  ["Mod+N", "everywhere", false, /is reserved by the browser \(opens a window\)/],
  ["Mod+7", "blueprint", false, /switches tabs/],
  ["Alt+F4", "everywhere", false, /by the system \(closes/],
  ["Mod+H", "everywhere", true, /hides the program/],
  ["Mod+H", "everywhere", false, undefined],
  ["Meta+K", "everywhere", false, /by the desktop/],
  ["Mod+Alt+F2", "everywhere", false, /switches the console/],
  ["Mod+V", "nodes", false, /clipboard \(pastes/],
  ["Shift+Tab", "nodes", false, /moves the focus/],
  ["Enter", "blueprint", false, /focused control/],
  ["Enter", "nodes", false, undefined],
  ["Mod+Enter", "blueprint", false, undefined],
  ["G", "blueprint", false, undefined],
])("%s for a command of scope %s, on a Mac: %s", (chord, scope, mac, words) => {
  const refusal = reservedChordReason(chord, scope, mac);
  if (words) expect(refusal).toMatch(words);
  else expect(refusal).toBeUndefined();
});
