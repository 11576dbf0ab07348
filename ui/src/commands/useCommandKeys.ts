import { useEffect } from "react";
import { bindings } from "./bindings";
import { type CommandId, definitionOf } from "./catalogue";
import { chordsOf, type KeyPress } from "./chord";
import { actOf, perform, refusalOf } from "./offers";
import { pressesControl, reaches } from "./reach";

/** Lets the keys of commands act, wherever they are offered. Stands once, in the frame of the window. */
export function useCommandKeys(): void {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener("keydown", press, { signal });
    for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel"] as const)
      window.addEventListener(name, follow, { signal, capture: true });
    window.addEventListener("blur", letGo, { signal });
    return () => listening.abort();
  }, []);
}

/** The command that a press means where it was made; nothing when none is offered there. */
function commandAt(event: KeyPress, target: EventTarget | null): CommandId | undefined {
  const { commandsOf } = bindings();
  return chordsOf(event)
    .flatMap(commandsOf)
    .find((id) => {
      const definition = definitionOf(id);
      const isTaken = definition.scope === "nodes" && pressesControl(event, target);
      return actOf(id) !== undefined && !isTaken && reaches(target, definition);
    });
}

/** The pointer holds something. What it does with it is one act, and none comes between. */
let holds = false;

function follow({ buttons }: PointerEvent): void {
  holds = buttons > 0;
}

function letGo(): void {
  holds = false;
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || holds) return;
  const id = commandAt(event, event.target);
  if (id === undefined) return;
  const { scope, repeats } = definitionOf(id);
  // Arrows, Enter and Escape mean other things too where the command does not apply. Letters mean nothing else.
  const meansOthers = event.key.length > 1 && !/^F\d/.test(event.key);
  if (scope === "nodes" && meansOthers && refusalOf(id) !== undefined) return;
  event.preventDefault();
  if (event.repeat && !repeats) return;
  perform(id);
}
