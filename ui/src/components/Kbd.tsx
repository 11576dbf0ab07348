import type { ReactElement } from "react";

const isMac = typeof navigator !== "undefined" && /Mac/.test(navigator.platform);
const modifierSymbols: Record<string, string> = isMac
  ? { Mod: "⌘", Shift: "⇧", Alt: "⌥", Ctrl: "⌃" }
  : { Mod: "Ctrl" };
const keySymbols: Record<string, string> = {
  Enter: "↵",
  Backspace: "⌫",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
};

/** Spells out a key combination, for screen readers and searches: "Ctrl+Shift+Z". */
export function formatShortcut(keys: string): string {
  return keys
    .split(/\+(?=.)/)
    .map((key) => (key === "Mod" ? (isMac ? "Command" : "Ctrl") : (spoken[key] ?? key)))
    .join("+");
}

const spoken: Record<string, string> = {
  ArrowUp: "Up",
  ArrowDown: "Down",
  ArrowLeft: "Left",
  ArrowRight: "Right",
};

/** A key combination such as `Mod+Shift+Z`; `Mod` is Command on a Mac and Control elsewhere. */
export function Kbd({ keys }: { keys: string }): ReactElement {
  return (
    <span className="inline-flex shrink-0 gap-0.5">
      {keys.split(/\+(?=.)/).map((key) => (
        <kbd
          key={key}
          className="min-w-4 rounded-small border border-line bg-raised px-1 text-center text-11 text-muted"
        >
          {modifierSymbols[key] ?? keySymbols[key] ?? key}
        </kbd>
      ))}
    </span>
  );
}
