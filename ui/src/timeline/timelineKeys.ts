/** What a key means while an entry, and not a field or button, has the focus. */
export type TimelineKey =
  | { act: "step"; by: 1 | -1 }
  | { act: "toggle" }
  | { act: "end"; end: "top" | "bottom" }
  | { act: "jump"; target: "error" | "question"; step: 1 | -1 }
  | { act: "find" };

interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** The meaning of a key press, if it has one here. */
export function timelineKey(press: KeyPress): TimelineKey | undefined {
  const { key, shiftKey } = press;
  if (isFindKey(press)) return { act: "find" };
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined;
  switch (key) {
    case "j":
    case "ArrowDown":
      return { act: "step", by: 1 };
    case "k":
    case "ArrowUp":
      return { act: "step", by: -1 };
    case "Enter":
      return { act: "toggle" };
    case "Home":
      return { act: "end", end: "top" };
    case "End":
      return { act: "end", end: "bottom" };
    case "/":
      return { act: "find" };
    case "e":
    case "E":
      return { act: "jump", target: "error", step: shiftKey ? -1 : 1 };
    case "q":
    case "Q":
      return { act: "jump", target: "question", step: shiftKey ? -1 : 1 };
    default:
      return undefined;
  }
}

/** Control or Command with F. */
export function isFindKey({ key, ctrlKey, metaKey }: KeyPress): boolean {
  return (ctrlKey || metaKey) && key.toLowerCase() === "f";
}
