import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactElement, useState } from "react";
import { expect, test } from "vitest";
import { Dialog } from "./Dialog";

function Page({ act }: { act?: () => void }): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask
      </button>
      <button type="button">Elsewhere</button>
      {open && (
        <Dialog open onOpenChange={setOpen} title="Question">
          <input aria-label="Field" autoFocus />
          <button
            type="button"
            onClick={() => {
              setOpen(false);
              act?.();
            }}
          >
            Act
          </button>
        </Dialog>
      )}
    </>
  );
}

test("a dialog without a trigger restores focus, even after autofocus", async () => {
  render(<Page />);
  await userEvent.click(screen.getByRole("button", { name: "Ask" }));
  expect(screen.getByRole("textbox", { name: "Field" })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.getByRole("button", { name: "Ask" })).toHaveFocus());
});

test("focus moved by an action is kept", async () => {
  render(<Page act={() => queueMicrotask(() => screen.getByText("Elsewhere").focus())} />);
  await userEvent.click(screen.getByRole("button", { name: "Ask" }));
  await userEvent.click(screen.getByRole("button", { name: "Act" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await new Promise((resolve) => setTimeout(resolve));
  expect(screen.getByText("Elsewhere")).toHaveFocus();
});
