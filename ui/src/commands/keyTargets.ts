import { isPageRoot } from "@/components/isPageRoot";
import type { KeyPress } from "./chord";
import type { CommandDefinition } from "./command";

/** Reports whether the element takes text, so that its keys are typed characters. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input, textarea, select, [contenteditable=true], [role=textbox]"))
  );
}

/** Reports whether the key activates the focused button or link. */
export function activatesControl(event: KeyPress, target: EventTarget | null): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  return (
    (key === "Enter" || key === " ") &&
    !(ctrlKey || metaKey || altKey) &&
    target instanceof HTMLElement &&
    target.matches("button, a[href], summary, [role=slider]")
  );
}

/**
 * Reports whether a key pressed at `target` may run a command. Dialogs, menus and lists keep their
 * keys.
 */
export function isKeyTargetOf(
  target: EventTarget | null,
  { scope, worksInFields: inFields }: Pick<CommandDefinition, "scope" | "worksInFields">,
): boolean {
  if (!(target instanceof HTMLElement)) return true;
  if (isTyping(target) && !inFields) return false;
  if (target.closest("[role=dialog], [role=alertdialog], [role=menu]")) return false;
  if (!inFields && target.closest("[role=listbox]:not([data-keys])")) return false;
  return scope !== "nodes" || isPageRoot(target) || target.closest("[data-keys=nodes]") !== null;
}
