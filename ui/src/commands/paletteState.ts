import { create } from "zustand";
import type { CommandId } from "./catalog";

/** Whether the palette is open, and at the question of which command. */
export const usePalette = create<{ open: boolean; asking: CommandId | undefined }>(() => ({
  open: false,
  asking: undefined,
}));

/** What was typed before the palette was there to be typed into, and whether Enter came after it. */
export interface TypedAhead {
  text: string;
  entered: boolean;
}

const nothingTyped: TypedAhead = { text: "", entered: false };
let typed = nothingTyped;
let captureController: AbortController | undefined;

/**
 * Opens the palette, at the question of a command if one asks. Its code may have to be loaded first: what is typed until
 * then is meant for it, and does nothing on the page below.
 */
export function openPalette(asking?: CommandId): void {
  if (!usePalette.getState().open) captureTypedAhead();
  usePalette.setState({ open: true, asking });
}

/** Hands over what was typed so far. From now on keys go where the focus is. */
export function takeTypedAhead(): TypedAhead {
  const taken = typed;
  captureController?.abort();
  typed = nothingTyped;
  return taken;
}

function captureTypedAhead(): void {
  takeTypedAhead();
  captureController = new AbortController();
  window.addEventListener("keydown", handleKey, {
    capture: true,
    signal: captureController.signal,
  });
}

function handleKey(event: KeyboardEvent): void {
  if (!usePalette.getState().open) {
    takeTypedAhead();
    return;
  }
  const { key } = event;
  if (event.isComposing) return;
  if (isLetter(event)) typed = { text: typed.text + key, entered: false };
  else if (key === "Backspace") typed = { ...nothingTyped, text: typed.text.slice(0, -1) };
  else if (key === "Enter") typed = { ...typed, entered: true };
  else if (key === "Escape") usePalette.setState({ open: false, asking: undefined });
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function isLetter(event: KeyboardEvent): boolean {
  const isChord = event.ctrlKey || event.metaKey || event.altKey;
  return event.key.length === 1 && (!isChord || event.getModifierState("AltGraph"));
}
