import { useEffect } from "react";
import { type CommandId, definitionOf } from "./catalog";
import { chordsOf, type KeyPress } from "./chord";
import { disabledReason, handlerOf, runCommand } from "./commandRegistry";
import { keyBindings } from "./keyBindings";
import { beginSequence, endSequence, useKeySequence } from "./keySequence";
import { activatesControl, isKeyTargetOf } from "./keyTargets";

/** Handles the shortcuts of all commands. Used once, in the window's frame. */
export function useCommandKeys(): void {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    // In the capture phase: a focused list must not act on the second key of a sequence.
    window.addEventListener("keydown", continueSequence, { signal, capture: true });
    window.addEventListener("keydown", handleKeyDown, { signal });
    for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel"] as const)
      window.addEventListener(name, trackPointer, { signal, capture: true });
    window.addEventListener("blur", releasePointer, { signal });
    window.addEventListener("blur", endSequence, { signal });
    return () => {
      endSequence();
      listening.abort();
    };
  }, []);
}

/** The command that a key press runs at `target`, if any. */
function commandAt(event: KeyPress, target: EventTarget | null): CommandId | undefined {
  const { commandsOf } = keyBindings();
  return chordsOf(event)
    .flatMap(commandsOf)
    .find((id) => {
      const isTaken = definitionOf(id).scope === "nodes" && activatesControl(event, target);
      return !isTaken && mayRunAt(id, target);
    });
}

function mayRunAt(id: CommandId, target: EventTarget | null): boolean {
  return handlerOf(id) !== undefined && isKeyTargetOf(target, definitionOf(id));
}

/** The chord of a key press with which a sequence begins at `target`, if any. */
function sequenceStartAt(event: KeyPress, target: EventTarget | null): string | undefined {
  const { sequencesAfter } = keyBindings();
  return chordsOf(event).find((chord) => sequencesAfter(chord).some((id) => mayRunAt(id, target)));
}

/** While a pointer button is held, shortcuts are ignored, so that they don't interrupt a drag. */
let pointerHeld = false;

function trackPointer({ buttons }: PointerEvent): void {
  pointerHeld = buttons > 0;
}

function releasePointer(): void {
  pointerHeld = false;
}

/** Handles the key after the first one of a sequence. Any other key cancels and acts as usual. */
function continueSequence(event: KeyboardEvent): void {
  const { pending } = useKeySequence.getState();
  const chords = chordsOf(event);
  if (pending === undefined || chords.length === 0 || event.repeat) return;
  endSequence();
  const { commandsOf } = keyBindings();
  const id = chords
    .flatMap((chord) => commandsOf(`${pending} ${chord}`))
    .find((each) => mayRunAt(each, event.target));
  if (id === undefined && event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  if (id !== undefined) runCommand(id);
}

function handleKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || pointerHeld) return;
  const id = commandAt(event, event.target);
  if (id === undefined) {
    const start = event.repeat ? undefined : sequenceStartAt(event, event.target);
    if (start === undefined) return;
    event.preventDefault();
    beginSequence(start);
    return;
  }
  const { scope, repeatsWhileHeld: repeats } = definitionOf(id);
  // Arrows, Enter and Escape have other uses when the command is disabled. Letters don't.
  const meansOthers = event.key.length > 1 && !/^F\d/.test(event.key);
  if (scope === "nodes" && meansOthers && disabledReason(id) !== undefined) return;
  event.preventDefault();
  if (event.repeat && !repeats) return;
  runCommand(id);
}
