import { partsOf } from "./chord";
import { type CommandScope, isLocal } from "./command";

/** Keys that press or move what has the focus; commands of nodes and lists may have them: they are what has it then. */
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
  "Mod+Shift+T": "opens a closed tab again",
  "Mod+W": "closes the tab",
  "Mod+Shift+W": "closes the window",
  "Mod+Q": "quits the program",
  "Mod+R": "loads the page again",
  "Mod+Shift+R": "loads the page again",
  F5: "loads the page again",
  "Mod+F5": "loads the page again",
  "Mod+L": "goes to the address",
  "Mod+Tab": "goes to the next tab",
  "Mod+Shift+Tab": "goes to the tab before",
  "Mod+PageUp": "goes to the tab before",
  "Mod+PageDown": "goes to the next tab",
  "Alt+ArrowLeft": "goes back",
  "Alt+ArrowRight": "goes forward",
  F11: "fills the screen",
  F12: "opens the developer tools",
  "Mod+Shift+I": "opens the developer tools",
};

const system: Record<string, string> = {
  "Alt+F4": "closes the window",
  "Alt+Tab": "changes the window",
  "Shift+Alt+Tab": "changes the window",
  "Alt+Space": "opens the menu of the window",
  "Mod+Space": "changes the language or opens a search",
  "Mod+Escape": "opens the start menu",
  "Mod+Alt+Delete": "belongs to the system",
};

const mac: Record<string, string> = {
  "Mod+H": "hides the program",
  "Mod+M": "puts the window away",
};

const clipboard: Record<string, string> = {
  "Mod+C": "copies",
  "Mod+X": "cuts",
  "Mod+V": "pastes",
  "Mod+Shift+V": "pastes",
};

/** Why a command cannot have these keys, as a sentence without a full stop; nothing when it can. */
export function chordRefusal(
  chord: string,
  scope: CommandScope,
  onMac: boolean,
): string | undefined {
  const held = partsOf(chord).slice(0, -1);
  const key = partsOf(chord).at(-1) ?? "";
  if (browser[chord]) return `The browser keeps these keys: it ${browser[chord]} with them`;
  if (/^Mod\+[1-9]$/.test(chord)) return "The browser keeps these keys: it changes tabs with them";
  if (system[chord]) return `The system keeps these keys: it ${system[chord]}`;
  if (onMac && mac[chord]) return `The system keeps these keys: it ${mac[chord]}`;
  if (clipboard[chord]) return `These keys are the same in every program: one ${clipboard[chord]}`;
  if (!onMac && held.includes("Meta")) return "The desktop keeps what is pressed with this key";
  if (held.includes("Mod") && held.includes("Alt") && /^F\d+$/.test(key))
    return "The system keeps these keys: they change the screen";
  if (key === "Tab") return "Tab moves the focus from one control to the next";
  if (controlKeys.has(key) && held.length === 0 && scope !== "nodes" && !isLocal(scope))
    return "This key presses or moves what has the focus; hold another key with it";
  return undefined;
}
