import { useEffect } from "react";
import { type CommandId, definitionOf } from "./catalog";
import { chordsOf, type KeyPress } from "./chord";
import { disabledReason, handlerOf, runCommand } from "./commandRegistry";
import { keyBindings } from "./keyBindings";
import { activatesControl, isKeyTargetOf } from "./keyTargets";

/** Lets the keys of commands act, wherever they are offered. Stands once, in the frame of the window. */
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

/** The command that a press means where it was made; nothing when none is offered there. */
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

/** The pointer holds something. What it does with it is one act, and none comes between. */
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
  // Arrows, Enter and Escape mean other things too where the command does not apply. Letters mean nothing else.
  const meansOthers = event.key.length > 1 && !/^F\d/.test(event.key);
  if (scope === "nodes" && meansOthers && disabledReason(id) !== undefined) return;
  event.preventDefault();
  if (event.repeat && !repeats) return;
  runCommand(id);
}
