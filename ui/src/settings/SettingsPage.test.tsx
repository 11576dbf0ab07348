import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { AgentView, Settings } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { useTheme } from "@/shell/theme";

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
  useTheme.setState({ choice: "system" });
});

function agentOf(id: string, facts: Partial<AgentView> = {}): AgentView {
  return {
    id,
    title: id,
    mark: "A",
    keepsHistory: true,
    custom: false,
    default: false,
    path: `/usr/bin/${id}`,
    version: "1.0",
    loggedIn: null,
    mend: null,
    command: [],
    protocol: "plain",
    reach: { asks: true, lists: true, sentence: "Lists bind." },
    ...facts,
  };
}

function open(agents: AgentView[]) {
  let settings: Settings = {
    theme: "dark",
    defaultAgent: "claude",
    takeoverAllowed: true,
    guardedTools: [],
    proposalDays: { automatic: 7, asked: 30 },
  };
  return renderApp("/settings", {
    settings_get: () => settings,
    settings_save: (next) => {
      settings = next;
      return next;
    },
    teams_list: () => [],
    editors_list: () => ({ editors: [], automatic: null, environment: null }),
    agents_list: () => agents,
    tool_servers_list: () => [],
    tokens_list: () => [],
    agent_save: ({ id, ...own }) => [...agents, agentOf(id, { custom: true, ...own })],
    about: () => {
      throw new ApiError("unavailable", "the disk is gone");
    },
  });
}

test("a missing agent shows how to install it; changing the default agent keeps the theme", async () => {
  const missing = { path: null, version: null, mend: "Install it with npm." };
  const { asked } = open([agentOf("claude", { default: true }), agentOf("gemini", missing)]);
  // The page's code is loaded when it is first shown.
  const mend = await screen.findByText("Install it with npm.", {}, { timeout: 20_000 });
  expect(mend).toBeVisible();
  expect(screen.getByText("Not found")).toBeVisible();
  await userEvent.click(screen.getByRole("radio", { name: "gemini" }));
  await waitFor(() =>
    expect(asked("settings_save")).toEqual([
      {
        theme: "dark",
        defaultAgent: "gemini",
        takeoverAllowed: true,
        guardedTools: [],
        proposalDays: { automatic: 7, asked: 30 },
      },
    ]),
  );
});

test("applies the stored theme, and saves a new choice", async () => {
  const { asked } = open([]);
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe("dark"));
  const themes = await screen.findByRole("radiogroup", { name: "Theme" });
  await userEvent.click(within(themes).getByRole("radio", { name: "High contrast" }));
  expect(document.documentElement.dataset.theme).toBe("contrast");
  await waitFor(() =>
    expect(asked("settings_save")).toEqual([
      {
        theme: "high_contrast",
        defaultAgent: "claude",
        takeoverAllowed: true,
        guardedTools: [],
        proposalDays: { automatic: 7, asked: 30 },
      },
    ]),
  );
});

test("a custom agent is entered argument by argument", async () => {
  const { asked } = open([agentOf("claude")]);
  await userEvent.click(await screen.findByRole("button", { name: "Add agent" }));
  const dialog = await screen.findByRole("dialog");
  const add = within(dialog).getByRole("button", { name: "Add agent" });
  expect(add).toBeDisabled();
  await userEvent.type(within(dialog).getByLabelText("Name"), "mine");
  await userEvent.type(within(dialog).getByLabelText("Program"), "run-it");
  await userEvent.click(add);
  await waitFor(() =>
    expect(asked("agent_save")).toEqual([
      { id: "mine", command: ["run-it", "{prompt_file}"], protocol: "plain" },
    ]),
  );
  expect(await screen.findByText("run-it {prompt_file}")).toBeVisible();
});

test("an ACP agent needs no prompt file", async () => {
  const { asked } = open([agentOf("claude")]);
  await userEvent.click(await screen.findByRole("button", { name: "Add agent" }));
  const dialog = await screen.findByRole("dialog");
  await userEvent.type(within(dialog).getByLabelText("Name"), "mine");
  await userEvent.type(within(dialog).getByLabelText("Program"), "run-it");
  await userEvent.click(within(dialog).getByLabelText("Protocol"));
  await userEvent.click(await screen.findByRole("option", { name: /ACP/ }));
  expect(within(dialog).getByText(/answers when it asks for permission/)).toBeVisible();
  await userEvent.click(within(dialog).getByRole("button", { name: "Add agent" }));
  await waitFor(() =>
    expect(asked("agent_save")).toEqual([{ id: "mine", command: ["run-it"], protocol: "acp" }]),
  );
});

test("the section list navigates by click and key", async () => {
  const into = vi.spyOn(Element.prototype, "scrollIntoView");
  open([]);
  const list = await screen.findByRole("navigation", { name: "Sections", hidden: true });
  const links = within(list).getAllByRole("link", { hidden: true });
  const headings = screen.getAllByRole("heading", { level: 2 });
  // "About" disappears once loading fails here, and a browser has no "Window" section.
  const namesOf = (elements: HTMLElement[]) =>
    elements.map((each) => each.textContent).filter((name) => name !== "About");
  expect(namesOf(links)).toEqual(namesOf(headings));

  const keys = within(list).getByRole("link", { name: "Keyboard shortcuts", hidden: true });
  keys.focus();
  await userEvent.keyboard("{Enter}");
  await waitFor(() =>
    expect(screen.getByRole("region", { name: "Keyboard shortcuts" })).toHaveFocus(),
  );
  keys.focus();
  await userEvent.keyboard("{Enter}");
  await waitFor(() =>
    expect(screen.getByRole("region", { name: "Keyboard shortcuts" })).toHaveFocus(),
  );
  expect(into).toHaveBeenCalledTimes(2);
});

test("a failure to load settings can be retried", async () => {
  open([]);
  expect(await screen.findByText(/the disk is gone/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});
