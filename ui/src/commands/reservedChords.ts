import { partsOf } from "./chord";
import { type CommandScope, isLocal } from "./command";

/**
 * Keys that activate or move the focused control. Commands of nodes and lists may use them, because
 * those have the focus then.
 */
const controlKeys = new Set([
  "Enter",
  "Space",
  "Escape",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "Home",
  "End",
  "PageUp",
  "PageDown",
  "Backspace",
  "Delete",
]);

const browser: Record<string, string> = {
  "Mod+N": "opens a window",
  "Mod+Shift+N": "opens a private window",
  "Mod+T": "opens a tab",
  "Mod+Shift+T": "reopens a closed tab",
  "Mod+W": "closes the tab",
  "Mod+Shift+W": "closes the window",
  "Mod+Q": "quits the program",
  "Mod+R": "reloads the page",
  "Mod+Shift+R": "reloads the page",
  F5: "reloads the page",
  "Mod+F5": "reloads the page",
  "Mod+L": "focuses the address bar",
  "Mod+Tab": "goes to the next tab",
  "Mod+Shift+Tab": "goes to the previous tab",
  "Mod+PageUp": "goes to the previous tab",
  "Mod+PageDown": "goes to the next tab",
  "Alt+ArrowLeft": "goes back",
  "Alt+ArrowRight": "goes forward",
  F11: "toggles full screen",
  F12: "opens the developer tools",
  "Mod+Shift+I": "opens the developer tools",
};

const system: Record<string, string> = {
  "Alt+F4": "closes the window",
  "Alt+Tab": "switches windows",
  "Shift+Alt+Tab": "switches windows",
  "Alt+Space": "opens the window menu",
  "Mod+Space": "switches the language or opens search",
  "Mod+Escape": "opens the start menu",
  "Mod+Alt+Delete": "opens the security screen",
};

const mac: Record<string, string> = {
  "Mod+H": "hides the program",
  "Mod+M": "minimizes the window",
};

const clipboard: Record<string, string> = {
  "Mod+C": "copies",
  "Mod+X": "cuts",
  "Mod+V": "pastes",
  "Mod+Shift+V": "pastes",
};

/**
 * Why a command can't use this shortcut, to follow its name; undefined when it can. Of a sequence,
 * only the first chord is pressed while nothing waits for it.
 */
export function reservedChordReason(
  shortcut: string,
  scope: CommandScope,
  onMac: boolean,
): string | undefined {
  const chord = shortcut.split(" ")[0] ?? shortcut;
  const held = partsOf(chord).slice(0, -1);
  const key = partsOf(chord).at(-1) ?? "";
  if (browser[chord]) return `is reserved by the browser (${browser[chord]})`;
  if (/^Mod\+[1-9]$/.test(chord)) return "is reserved by the browser (switches tabs)";
  if (system[chord]) return `is reserved by the system (${system[chord]})`;
  if (onMac && mac[chord]) return `is reserved by the system (${mac[chord]})`;
  if (clipboard[chord]) return `is reserved for the clipboard (${clipboard[chord]})`;
  if (!onMac && held.includes("Meta")) return "is reserved by the desktop";
  if (held.includes("Mod") && held.includes("Alt") && /^F\d+$/.test(key))
    return "is reserved by the system (switches the console)";
  if (key === "Tab") return "moves the focus from one control to the next";
  if (controlKeys.has(key) && held.length === 0 && scope !== "nodes" && !isLocal(scope))
    return "acts on the focused control; combine it with another key";
  return undefined;
}
