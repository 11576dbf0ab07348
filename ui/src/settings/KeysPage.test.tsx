import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { keyBindings, storageKey } from "@/commands/keyBindings";
import { resetAppState, setAppStateValue } from "@/shell/appState";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { KeysPage } from "./KeysPage";

// Searching a hundred rows by role is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

afterEach(resetAppState);

async function open(search: string) {
  renderWithBackend(<KeysPage />, {});
  const user = userEvent.setup();
  await user.type(screen.getByRole("searchbox"), search);
  const [row] = screen.getAllByRole("listitem");
  if (!row) throw new Error(`nothing is found by ${search}`);
  return { user, row };
}

const record = async (user: ReturnType<typeof userEvent.setup>, row: HTMLElement, keys: string) => {
  await user.click(within(row).getByRole("button", { name: /Add shortcut/ }));
  await user.keyboard(keys);
};

test("shortcuts can be recorded, used, removed and reset", async () => {
  const { user, row } = await open("tidy layout");
  await record(user, row, "{Control>}{Shift>}l{/Shift}{/Control}");
  expect(keyBindings().keysOf("tidy")).toEqual(["Shift+Alt+T", "Mod+Shift+L"]);
  expect(screen.getByRole("status")).toHaveTextContent("Tidy layout is now Ctrl+Shift+L");
  await user.click(
    within(row).getByRole("button", { name: "Remove Shift+Alt+T from Tidy layout" }),
  );
  expect(keyBindings().keysOf("tidy")).toEqual(["Mod+Shift+L"]);
  await user.click(within(row).getByRole("button", { name: "Reset shortcuts for Tidy layout" }));
  expect(keyBindings().keysOf("tidy")).toEqual(["Shift+Alt+T"]);
});

test("a conflicting shortcut is reassigned only after confirmation", async () => {
  const { user, row } = await open("tidy layout");
  await record(user, row, "{Control>}d{/Control}");
  const notice = screen.getByRole("alert");
  expect(notice).toHaveTextContent("is already assigned to “Duplicate”");
  expect(keyBindings().keysOf("duplicate")).toEqual(["Mod+D"]);
  await user.click(within(notice).getByRole("button", { name: "Reassign" }));
  expect(keyBindings().keysOf("duplicate")).toEqual([]);
  expect(keyBindings().keysOf("tidy")).toContain("Mod+D");
});

test("a shortcut of two keys is recorded key by key", async () => {
  const { user, row } = await open("tidy layout");
  await record(user, row, "g");
  expect(within(row).getByText("G then…")).toBeVisible();
  await user.keyboard("x");
  expect(keyBindings().keysOf("tidy")).toEqual(["Shift+Alt+T", "G X"]);
  expect(screen.getByRole("status")).toHaveTextContent("Tidy layout is now G then X");
});

test("reserved browser shortcuts are rejected, and Escape cancels", async () => {
  const { user, row } = await open("tidy layout");
  await record(user, row, "{Control>}n{/Control}");
  expect(screen.getByRole("alert")).toHaveTextContent("Ctrl+N is reserved by the browser");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(keyBindings().keysOf("tidy")).toEqual(["Shift+Alt+T"]);
});

test("search matches keys, and Copy cannot be rebound", async () => {
  const { row } = await open("ctrl+c");
  expect(row).toHaveTextContent("Copy nodes as text");
  expect(within(row).queryByRole("button", { name: /Add shortcut/ })).toBeNull();
});

test("shortcuts of a newer version are shown as unknown", () => {
  setAppStateValue(storageKey, { version: 2 });
  renderWithBackend(<KeysPage />, {});
  expect(screen.getByText(/A newer version of Baton saved the shortcuts/)).toBeVisible();
  expect(screen.getAllByRole("button", { name: "Add shortcut for Undo" })[0]).toBeDisabled();
});
