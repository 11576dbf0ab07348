import { act, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { registerCommands } from "@/commands/commandRegistry";
import { usePalette } from "@/commands/paletteState";
import { recentEntryIds } from "@/commands/recentEntries";
import { summaryOf } from "@/plan/planSummaryFixture";
import { rowFixture } from "@/sessions/transcriptFixture";
import { resetAppState } from "@/shell/appState";
import { useTheme } from "@/shell/theme";
import { renderApp } from "./renderApp";
// Pages are loaded lazily. Importing these here keeps their time out of the tests.
import "@/blueprint/BlueprintPage";
import "@/sessions/SessionPage";

// The first page and the palette are loaded lazily, which is slow on a busy machine.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

afterEach(() => {
  vi.unstubAllGlobals();
  resetAppState();
  usePalette.setState({ open: false, asking: undefined });
});

const answers = {
  inbox_list: () => [],
  requests_list: () => [],
  plans_list: () => [summaryOf("p1", { title: "Release notes" })],
  templates_list: () => [],
  runs_list: () => [],
};

async function open() {
  const app = renderApp("/statistics", answers);
  const user = userEvent.setup();
  await screen.findByRole("navigation", { name: "Pages" });
  await user.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("combobox", { name: "Commands" });
  return { ...app, user, field };
}

const options = () => screen.getAllByRole("option").map((option) => option.textContent);

test("typing ahead and pressing Enter works", async () => {
  const { router } = renderApp("/statistics", answers);
  const user = userEvent.setup({ delay: null });
  await screen.findByRole("navigation", { name: "Pages" });
  await user.keyboard("{Control>}k{/Control}docto{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/doctor"));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("its first key press is answered at once, because its code is loaded before", async () => {
  vi.stubGlobal("requestIdleCallback", (idle: () => void) => idle());
  renderApp("/statistics", answers);
  await screen.findByRole("navigation", { name: "Pages" });
  await act(() => vi.dynamicImportSettled());
  fireEvent.keyDown(document.body, { key: "k", code: "KeyK", ctrlKey: true });
  expect(screen.getByRole("combobox", { name: "Commands" })).toHaveFocus();
});

test("can be used with the keyboard only", async () => {
  const { user, field, router } = await open();
  expect(field).toHaveFocus();
  await user.keyboard("docto");
  await waitFor(() => expect(options()[0]).toContain("Go to Doctor"));
  expect(field).toHaveAttribute("aria-activedescendant", screen.getAllByRole("option")[0]?.id);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/doctor"));
  expect(screen.queryByRole("dialog")).toBeNull();

  await user.keyboard("{Control>}k{/Control}");
  const recent = await screen.findByRole("group", { name: "Recent" });
  expect(within(recent).getByRole("option")).toHaveTextContent("Go to Doctor");
  await user.keyboard("{Control>}k{/Control}");
  expect(screen.queryByRole("dialog"), "the key that opened it closes it").toBeNull();
});

test.each(["section", "popover"])(
  "a field of a %s that a key opens right after Escape keeps the focus",
  async (place) => {
    const { user, field } = await open();
    await user.keyboard("{Escape}");
    screen.getByRole("main").focus();
    await user.keyboard("{Control>}k{/Control}");
    const holder = document.body.appendChild(document.createElement("div"));
    // A popover, such as the list of node kinds, is a dialog, too.
    if (place === "popover") holder.role = "dialog";
    const opened = holder.appendChild(document.createElement("input"));
    fireEvent.keyDown(screen.getByRole("combobox", { name: "Commands" }), {
      key: "Escape",
      code: "Escape",
    });
    expect(field).not.toBeInTheDocument();
    opened.focus();
    // The palette returns the focus in a later task.
    await new Promise((resolve) => setTimeout(resolve));
    expect(opened).toHaveFocus();
    holder.remove();
  },
);

test("recently opened pages are at the top before their lists are loaded", async () => {
  const app = renderApp(`/session/${encodeURIComponent("claude:tidy")}`, {
    ...answers,
    transcript_get: () => rowFixture("tidy"),
  });
  const user = userEvent.setup();
  await screen.findByRole("heading", { name: /Title of tidy/ });
  await waitFor(() => expect(recentEntryIds()).toEqual(["Sessions:claude:tidy"]));
  await act(() => app.router.navigate("/statistics"));
  await user.keyboard("{Control>}k{/Control}");
  const recent = await screen.findByRole("group", { name: "Recent" });
  // No list of sessions answers in this test.
  await user.click(within(recent).getByRole("option", { name: /Title of tidy/ }));
  await waitFor(() => expect(app.router.state.location.pathname).toBe("/session/claude%3Atidy"));
});

test("finds blueprints with words in any order and reports sources that failed", async () => {
  const { user, router } = await open();
  await user.keyboard("notes rel");
  await waitFor(() => expect(options()[0]).toContain("Release notes"));
  await user.clear(screen.getByRole("combobox"));
  expect(await screen.findByText(/Couldn't load Proposals, Sessions/)).toBeInTheDocument();
  await user.keyboard("release{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/blueprints/p1"));
});

test("commands that do not apply are listed with the reason", async () => {
  const { user } = await open();
  await user.keyboard("tidy");
  await waitFor(() => expect(options()[0]).toContain("Open a blueprint first"));
  await user.keyboard("{Enter}");
  expect(screen.getByRole("dialog"), "nothing was done").toBeInTheDocument();
  expect(screen.getByText("Tidy layout: Open a blueprint first")).toBeInTheDocument();
});

test("a command that became available while the palette is open runs", async () => {
  const { user } = await open();
  await user.keyboard("tidy");
  await waitFor(() => expect(options()[0]).toContain("Open a blueprint first"));
  const run = vi.fn();
  const withdraw = registerCommands({ tidy: { run } });
  await user.keyboard("{Enter}");
  await waitFor(() => expect(run).toHaveBeenCalledOnce());
  expect(screen.queryByRole("dialog")).toBeNull();
  withdraw();
});

test("a command with choices asks for one, and Backspace returns", async () => {
  const { user, field } = await open();
  await user.keyboard("theme");
  await waitFor(() => expect(options()[0]).toContain("Change theme"));
  await user.keyboard("{Enter}");
  await waitFor(() => expect(options()).toHaveLength(4));
  expect(screen.getByRole("dialog", { name: "Change theme" })).toBeInTheDocument();
  await user.keyboard("{Backspace}");
  await waitFor(() => expect(screen.getByRole("dialog", { name: "Commands" })).toBeVisible());
  await user.keyboard("theme{Enter}");
  await waitFor(() => expect(options()).toHaveLength(4));
  await user.keyboard("{Escape}");
  expect(screen.getByRole("dialog", { name: "Commands" }), "one step back only").toBeVisible();
  await user.keyboard("theme{Enter}");
  await waitFor(() => expect(options()).toHaveLength(4));
  expect(field).toHaveFocus();
  await user.keyboard("dark{Enter}");
  await waitFor(() => expect(useTheme.getState().choice).toBe("dark"));
});

test("typed keys do not reach the page below", async () => {
  const { user } = await open();
  await user.keyboard("?");
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.keyboard("?");
  expect(await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).toBeInTheDocument();
});
