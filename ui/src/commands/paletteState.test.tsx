import { fireEvent } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { openPalette, takeTypedAhead, usePalette } from "./paletteState";

afterEach(() => {
  usePalette.setState({ open: false, asking: undefined });
  takeTypedAhead();
});

/** Presses keys without waiting, and returns those that reached the page below. */
function type(...keys: (string | KeyboardEventInit)[]): string[] {
  const reached = vi.fn();
  window.addEventListener("keydown", reached);
  for (const key of keys) fireEvent.keyDown(document.body, typeof key === "string" ? { key } : key);
  window.removeEventListener("keydown", reached);
  return reached.mock.calls.map(([event]) => event.key);
}

test("keys typed while the palette is loading are captured for it", () => {
  openPalette();
  expect(type("l", "i", "x", "Backspace", "s", "t", "Enter")).toEqual([]);
  expect(takeTypedAhead()).toEqual({ text: "list", entered: true });
  expect(type("a"), "afterwards, keys go to the focused element").toEqual(["a"]);
  expect(takeTypedAhead().text).toBe("");
});

test("chords are not text, but AltGr symbols are", () => {
  openPalette();
  expect(type({ key: "s", ctrlKey: true }, "Shift", "ArrowDown")).toEqual([
    "s",
    "Shift",
    "ArrowDown",
  ]);
  type({ key: "@", ctrlKey: true, altKey: true, modifierAltGraph: true });
  expect(takeTypedAhead()).toEqual({ text: "@", entered: false });
});

test("Escape cancels a loading palette, and a closed palette captures no keys", () => {
  openPalette("pause");
  expect(usePalette.getState()).toEqual({ open: true, asking: "pause" });
  expect(type("a", "Escape")).toEqual([]);
  expect(usePalette.getState().open).toBe(false);
  expect(type("b")).toEqual(["b"]);
  openPalette();
  expect(takeTypedAhead().text, "text typed for the previous palette is discarded").toBe("");
});
