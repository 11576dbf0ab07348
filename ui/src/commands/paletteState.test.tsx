import { fireEvent } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { openPalette, takeTypedAhead, usePalette } from "./paletteState";

afterEach(() => {
  usePalette.setState({ open: false, asking: undefined });
  takeTypedAhead();
});

/** Presses keys as a hand does that does not wait, and answers what the page below heard of them. */
function type(...keys: (string | KeyboardEventInit)[]): string[] {
  const heard = vi.fn();
  window.addEventListener("keydown", heard);
  for (const key of keys) fireEvent.keyDown(document.body, typeof key === "string" ? { key } : key);
  window.removeEventListener("keydown", heard);
  return heard.mock.calls.map(([event]) => event.key);
}

test("what is typed while the palette is on its way is kept for it, and reaches nobody else", () => {
  openPalette();
  expect(type("l", "i", "x", "Backspace", "s", "t", "Enter")).toEqual([]);
  expect(takeTypedAhead()).toEqual({ text: "list", entered: true });
  expect(type("a"), "then keys go where the focus is").toEqual(["a"]);
  expect(takeTypedAhead().text).toBe("");
});

test("chords are no letters, but what AltGr writes is one", () => {
  openPalette();
  expect(type({ key: "s", ctrlKey: true }, "Shift", "ArrowDown")).toEqual([
    "s",
    "Shift",
    "ArrowDown",
  ]);
  type({ key: "@", ctrlKey: true, altKey: true, modifierAltGraph: true });
  expect(takeTypedAhead()).toEqual({ text: "@", entered: false });
});

test("Escape calls it back, and a palette that was closed hears nothing more", () => {
  openPalette("pause");
  expect(usePalette.getState()).toEqual({ open: true, asking: "pause" });
  expect(type("a", "Escape")).toEqual([]);
  expect(usePalette.getState().open).toBe(false);
  expect(type("b")).toEqual(["b"]);
  openPalette();
  expect(takeTypedAhead().text, "what was meant for the last one is gone").toBe("");
});
