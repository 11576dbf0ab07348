import { create } from "zustand";
import type { CommandId } from "./catalog";

/** Whether the palette is open, and the command whose choices it shows. */
export const usePalette = create<{ open: boolean; asking: CommandId | undefined }>(() => ({
  open: false,
  asking: undefined,
}));

/** Text typed before the palette was ready, and whether Enter followed. */
export interface TypedAhead {
  text: string;
  entered: boolean;
}

const nothingTyped: TypedAhead = { text: "", entered: false };
let typed = nothingTyped;
let captureController: AbortController | undefined;

/**
 * Opens the palette, optionally with the choices of a command. Its code may have to be loaded
 * first; keys typed until then are captured for it.
 */
export function openPalette(asking?: CommandId): void {
  if (!usePalette.getState().open) captureTypedAhead();
  usePalette.setState({ open: true, asking });
}

/** Returns what was typed so far and stops capturing keys. */
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
