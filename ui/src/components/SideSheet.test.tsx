import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { SideSheet } from "./SideSheet";

function sheet(over: string | false, onBack = () => {}) {
  return (
    <SideSheet over={over} back="Back to the graph" onBack={onBack}>
      <button type="button">Card</button>
    </SideSheet>
  );
}

test("an open sheet is modal and restores focus when closed", () => {
  const { rerender } = render(sheet(false));
  const card = screen.getByText("Card");
  card.focus();
  rerender(sheet("Fields"));
  expect(card.closest("[inert]")).not.toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Back to the graph" }));
  rerender(sheet(false));
  expect(card.closest("[inert]")).toBeNull();
  expect(document.activeElement).toBe(card);
});

test("the close button and Escape close the sheet unless Escape was handled inside", () => {
  const onBack = vi.fn();
  render(sheet("Fields", onBack));
  const button = screen.getByRole("button", { name: "Back to the graph" });
  fireEvent.click(button);
  fireEvent.keyDown(button, { key: "Escape" });
  expect(onBack).toHaveBeenCalledTimes(2);
  const field = screen.getByText("Fields");
  field.addEventListener("keydown", (event) => event.preventDefault(), { capture: true });
  fireEvent.keyDown(button, { key: "Escape" });
  expect(onBack).toHaveBeenCalledTimes(2);
});
