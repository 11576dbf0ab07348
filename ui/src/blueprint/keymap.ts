/** Everything on the blueprint page that a key can do. */
export type KeyAct =
  | "add"
  | "undo"
  | "redo"
  | "duplicate"
  | "delete"
  | "select_all"
  | "clear"
  | "rename"
  | "open"
  | "inspect"
  | "connect"
  | "tidy"
  | "fit"
  | "zoom_selection"
  | "zoom_actual"
  | "zoom_in"
  | "zoom_out"
  | "left"
  | "right"
  | "up"
  | "down"
  | "find"
  | "run"
  | "run_selected"
  | "stop"
  | "help";

/** Where a key counts: `page` everywhere but in fields; `nodes` only where no control wants the key for itself. */
export type KeyScope = "page" | "nodes";

interface Binding {
  act: KeyAct;
  /** As `Kbd` shows them. The first is the one that menus name. */
  keys: string[];
  scope: KeyScope;
  /** For the list of keys. */
  words: string;
  group: "Edit" | "Move about" | "Run";
}

/** All keys in the order of the list that `?` opens. Copy, cut and paste come as clipboard events. */
export const bindings: readonly Binding[] = [
  { act: "add", keys: ["N"], scope: "page", words: "Add a node", group: "Edit" },
  { act: "connect", keys: ["C"], scope: "nodes", words: "Connect to another node", group: "Edit" },
  { act: "rename", keys: ["F2"], scope: "nodes", words: "Rename", group: "Edit" },
  { act: "duplicate", keys: ["Mod+D"], scope: "page", words: "Duplicate", group: "Edit" },
  {
    act: "delete",
    keys: ["Delete", "Backspace"],
    scope: "nodes",
    words: "Delete the selection",
    group: "Edit",
  },
  { act: "undo", keys: ["Mod+Z"], scope: "page", words: "Undo", group: "Edit" },
  { act: "redo", keys: ["Mod+Shift+Z", "Mod+Y"], scope: "page", words: "Redo", group: "Edit" },
  { act: "tidy", keys: ["Shift+Alt+T"], scope: "page", words: "Tidy layout", group: "Edit" },
  { act: "select_all", keys: ["Mod+A"], scope: "nodes", words: "Select all", group: "Edit" },
  { act: "clear", keys: ["Escape"], scope: "nodes", words: "Select nothing", group: "Edit" },
  { act: "right", keys: ["ArrowRight"], scope: "nodes", words: "To a child", group: "Move about" },
  { act: "left", keys: ["ArrowLeft"], scope: "nodes", words: "To a parent", group: "Move about" },
  { act: "up", keys: ["ArrowUp"], scope: "nodes", words: "To the node above", group: "Move about" },
  {
    act: "down",
    keys: ["ArrowDown"],
    scope: "nodes",
    words: "To the node below",
    group: "Move about",
  },
  {
    act: "inspect",
    keys: ["Enter"],
    scope: "nodes",
    words: "Open the inspector",
    group: "Move about",
  },
  {
    act: "open",
    keys: ["O"],
    scope: "nodes",
    words: "Open the blueprint inside a node",
    group: "Move about",
  },
  { act: "find", keys: ["Mod+F"], scope: "page", words: "Find a node", group: "Move about" },
  { act: "fit", keys: ["1"], scope: "page", words: "Show the whole plan", group: "Move about" },
  {
    act: "zoom_selection",
    keys: ["2"],
    scope: "page",
    words: "Zoom to the selection",
    group: "Move about",
  },
  { act: "zoom_actual", keys: ["0"], scope: "page", words: "Zoom to 100 %", group: "Move about" },
  { act: "zoom_in", keys: ["+", "="], scope: "page", words: "Zoom in", group: "Move about" },
  { act: "zoom_out", keys: ["-"], scope: "page", words: "Zoom out", group: "Move about" },
  { act: "run", keys: ["Mod+Enter"], scope: "page", words: "Run all", group: "Run" },
  {
    act: "run_selected",
    keys: ["Mod+Shift+Enter"],
    scope: "page",
    words: "Run the selected node",
    group: "Run",
  },
  { act: "stop", keys: ["Mod+."], scope: "page", words: "Stop the run", group: "Run" },
  { act: "help", keys: ["?"], scope: "page", words: "List the keys", group: "Move about" },
];

/** The parts of a keyboard event that decide. */
export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

const byKeys = new Map(bindings.flatMap((binding) => binding.keys.map((keys) => [keys, binding])));

/** What a key does, if anything. */
export function bindingOf(press: KeyPress): Binding | undefined {
  return byKeys.get(keysOf(press)) ?? byKeys.get(keysOf({ ...press, shiftKey: false }, true));
}

/** The keys of an act as menus show them. */
export function keysFor(act: KeyAct): string {
  return bindings.find((binding) => binding.act === act)?.keys[0] ?? "";
}

// A sign such as `?` or `+` has its Shift in it already, on some keyboards and not on others.
function keysOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyPress, signOnly = false): string {
  if (signOnly && /^[\p{L}\p{N}]$|^.{2,}$/u.test(key)) return "";
  return [
    (ctrlKey || metaKey) && "Mod",
    shiftKey && "Shift",
    altKey && "Alt",
    key.length === 1 ? key.toUpperCase() : key,
  ]
    .filter(Boolean)
    .join("+");
}

/** Whether somebody writes in the element, so that its keys are letters. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input, textarea, select, [contenteditable=true], [role=textbox]"))
  );
}

/** Whether a key pressed at `target` belongs to this scope. Dialogs, menus and lists keep their keys. */
export function reaches(target: EventTarget | null, scope: KeyScope): boolean {
  if (isTyping(target)) return false;
  if (!(target instanceof HTMLElement)) return true;
  if (
    target.closest(
      "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]:not([data-keys])",
    )
  )
    return false;
  return (
    scope === "page" || target === document.body || target.closest("[data-keys=nodes]") !== null
  );
}
