import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ToastRegion } from "./ToastRegion";
import { showToast } from "./toasts";

test("Alt+T moves the focus to the toasts, and Shift+Alt+T is left to its command", () => {
  render(
    <ToastRegion>
      <button type="button">Card</button>
    </ToastRegion>,
  );
  act(() => void showToast({ kind: "info", title: "Saved" }));
  const card = screen.getByRole("button", { name: "Card" });
  card.focus();
  fireEvent.keyDown(card, { key: "T", code: "KeyT", altKey: true, shiftKey: true });
  expect(card).toHaveFocus();
  fireEvent.keyDown(card, { key: "t", code: "KeyT", altKey: true });
  expect(screen.getByRole("region", { name: "Notifications (Alt+T)" })).toContainElement(
    document.activeElement as HTMLElement,
  );
});
