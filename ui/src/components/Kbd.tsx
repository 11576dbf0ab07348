import { Fragment, type ReactElement } from "react";

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

/** Spells out a shortcut, for screen readers and searches: "Ctrl+Shift+Z", "G then R". */
export function formatShortcut(keys: string): string {
  return keys.split(" ").map(formatCombination).join(" then ");
}

function formatCombination(keys: string): string {
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

/**
 * A key combination such as `Mod+Shift+Z`, or several to press one after the other: `G R`. `Mod` is
 * Command on a Mac and Control elsewhere.
 */
export function Kbd({ keys }: { keys: string }): ReactElement {
  const [first = "", ...then] = keys.split(" ");
  if (then.length === 0) return <Combination keys={first} />;
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-11 text-faint">
      <Combination keys={first} />
      {then.map((next) => (
        <Fragment key={next}>
          then <Combination keys={next} />
        </Fragment>
      ))}
    </span>
  );
}

function Combination({ keys }: { keys: string }): ReactElement {
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
