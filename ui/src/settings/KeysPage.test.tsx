import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { bindings, storedName } from "@/commands/bindings";
import { forgetAppState, remember } from "@/shell/appState";
import { openPart } from "@/shell/fakePart";
import { KeysPage } from "./KeysPage";

// A hundred rows are searched by role; on a busy machine that takes its time.
vi.setConfig({ testTimeout: 60_000 });

afterEach(forgetAppState);

async function open(search: string) {
  openPart(<KeysPage />, {});
  const user = userEvent.setup();
  await user.type(screen.getByRole("searchbox"), search);
  const [row] = screen.getAllByRole("listitem");
  if (!row) throw new Error(`nothing is found by ${search}`);
  return { user, row };
}

const record = async (user: ReturnType<typeof userEvent.setup>, row: HTMLElement, keys: string) => {
  await user.click(within(row).getByRole("button", { name: /Add keys/ }));
  await user.keyboard(keys);
};

test("keys are recorded, counted at once, taken away and reset", async () => {
  const { user, row } = await open("tidy layout");
  await record(user, row, "{Control>}{Shift>}l{/Shift}{/Control}");
  expect(bindings().keysOf("tidy")).toEqual(["Shift+Alt+T", "Mod+Shift+L"]);
  expect(screen.getByRole("status")).toHaveTextContent("Tidy layout is now Ctrl+Shift+L");
  await user.click(within(row).getByRole("button", { name: "Take Shift+Alt+T from Tidy layout" }));
  expect(bindings().keysOf("tidy")).toEqual(["Mod+Shift+L"]);
  await user.click(within(row).getByRole("button", { name: "Reset the keys of Tidy layout" }));
  expect(bindings().keysOf("tidy")).toEqual(["Shift+Alt+T"]);
});

test("keys that another command has are taken over only when the person says so", async () => {
  const { user, row } = await open("tidy layout");
  await record(user, row, "{Control>}d{/Control}");
  const notice = screen.getByRole("alert");
  expect(notice).toHaveTextContent("is “Duplicate” now");
  expect(bindings().keysOf("duplicate")).toEqual(["Mod+D"]);
  await user.click(within(notice).getByRole("button", { name: "Take it over" }));
  expect(bindings().keysOf("duplicate")).toEqual([]);
  expect(bindings().keysOf("tidy")).toContain("Mod+D");
});

test("what the browser keeps is refused with the reason, and Escape gives up", async () => {
  const { user, row } = await open("tidy layout");
  await record(user, row, "{Control>}n{/Control}");
  expect(screen.getByRole("alert")).toHaveTextContent("Ctrl+N: The browser keeps these keys");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(bindings().keysOf("tidy")).toEqual(["Shift+Alt+T"]);
});

test("the search finds by keys, and copy cannot be bound anew", async () => {
  const { row } = await open("ctrl+c");
  expect(row).toHaveTextContent("Copy nodes as text");
  expect(within(row).queryByRole("button", { name: /Add keys/ })).toBeNull();
});

test("keys of a newer Baton are shown as left alone", () => {
  remember(storedName, { version: 2 });
  openPart(<KeysPage />, {});
  expect(screen.getByText(/A newer Baton stored the keys/)).toBeVisible();
  expect(screen.getAllByRole("button", { name: "Add keys to Undo" })[0]).toBeDisabled();
});
