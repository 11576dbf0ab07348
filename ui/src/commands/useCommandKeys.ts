import { useEffect } from "react";
import { type CommandId, definitionOf } from "./catalog";
import { chordsOf, type KeyPress } from "./chord";
import { disabledReason, handlerOf, runCommand } from "./commandRegistry";
import { keyBindings } from "./keyBindings";
import { activatesControl, isKeyTargetOf } from "./keyTargets";

/** Handles the shortcuts of all commands. Used once, in the window's frame. */
export function useCommandKeys(): void {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener("keydown", handleKeyDown, { signal });
    for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel"] as const)
      window.addEventListener(name, trackPointer, { signal, capture: true });
    window.addEventListener("blur", releasePointer, { signal });
    return () => listening.abort();
  }, []);
}

/** The command that a key press runs at `target`, if any. */
function commandAt(event: KeyPress, target: EventTarget | null): CommandId | undefined {
  const { commandsOf } = keyBindings();
  return chordsOf(event)
    .flatMap(commandsOf)
    .find((id) => {
      const definition = definitionOf(id);
      const isTaken = definition.scope === "nodes" && activatesControl(event, target);
      return handlerOf(id) !== undefined && !isTaken && isKeyTargetOf(target, definition);
    });
}

/** While a pointer button is held, shortcuts are ignored, so that they don't interrupt a drag. */
let pointerHeld = false;

function trackPointer({ buttons }: PointerEvent): void {
  pointerHeld = buttons > 0;
}

function releasePointer(): void {
  pointerHeld = false;
}

function handleKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || pointerHeld) return;
  const id = commandAt(event, event.target);
  if (id === undefined) return;
  const { scope, repeatsWhileHeld: repeats } = definitionOf(id);
  // Arrows, Enter and Escape have other uses when the command is disabled. Letters don't.
  const meansOthers = event.key.length > 1 && !/^F\d/.test(event.key);
  if (scope === "nodes" && meansOthers && disabledReason(id) !== undefined) return;
  event.preventDefault();
  if (event.repeat && !repeats) return;
  runCommand(id);
}
