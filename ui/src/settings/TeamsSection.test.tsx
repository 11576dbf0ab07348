import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { AgentView, Team } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
});

function agentOf(id: string, title: string, path: string | null = `/usr/bin/${id}`): AgentView {
  return {
    id,
    title,
    mark: "A",
    keepsHistory: true,
    custom: false,
    default: id === "claude",
    path,
    version: "1.0",
    loggedIn: null,
    mend: null,
    command: [],
    protocol: "plain",
    reach: { asks: true, lists: true, sentence: "Lists bind." },
  };
}

const reviewers: Team = {
  name: "reviewers",
  members: ["codex", "gemini", "gone"],
  rule: "ask",
  asks: null,
  model: null,
};

// The page's code is loaded when it is first shown.
const loaded = { timeout: 20_000 };

function open(first: Team[], refusal?: string) {
  let teams = first;
  return renderApp("/settings", {
    agents_list: () => [
      agentOf("claude", "Claude Code"),
      agentOf("codex", "Codex"),
      agentOf("gemini", "Gemini", null),
    ],
    teams_list: () => teams,
    team_save: (team) => {
      if (refusal) throw new ApiError("bad_input", refusal);
      teams = [...teams.filter(({ name }) => name !== team.name), team];
      return teams;
    },
    team_delete: ({ name }) => {
      teams = teams.filter((team) => team.name !== name);
      return teams;
    },
    tool_servers_list: () => [],
  });
}

test("a team is added with its members in order and its rule", async () => {
  const { asked } = open([]);
  expect(await screen.findByText(/No teams yet/, {}, loaded)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Add team" }));
  const dialog = within(await screen.findByRole("dialog"));
  const add = dialog.getByRole("button", { name: "Add team" });
  await userEvent.type(dialog.getByLabelText("Name"), "crew");
  expect(add, "no members yet").toBeDisabled();
  for (const title of ["Claude Code", "Codex"]) {
    await userEvent.click(dialog.getByLabelText("Members"));
    await userEvent.click(await screen.findByRole("option", { name: new RegExp(title) }));
  }
  await userEvent.click(dialog.getByRole("button", { name: "Move Codex up" }));
  await userEvent.click(add);
  await waitFor(() => expect(asked("team_save")).toHaveLength(1));
  expect(asked("team_save")[0]).toMatchObject({
    name: "crew",
    members: ["codex", "claude"],
    rule: "first",
  });
  expect(await screen.findByText("Codex, Claude Code")).toBeVisible();
});

test("a row shows members that are used, skipped or unknown", async () => {
  open([reviewers]);
  const row = within(await screen.findByRole("list", { name: "Teams" }, loaded));
  expect(await row.findByText("Codex, Gemini, gone")).toBeVisible();
  expect(row.getByText("Ask an agent: the default agent")).toBeVisible();
  expect(row.getByText("Not found, skipped: Gemini")).toBeVisible();
  expect(row.getByText("Unknown agents: gone")).toBeVisible();
});

test("duplicate and invalid names are rejected, and backend errors are shown", async () => {
  open([reviewers], "there is no agent 'gone'");
  await userEvent.click(await screen.findByRole("button", { name: "Add team" }, loaded));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByLabelText("Name"), "reviewers");
  expect(dialog.getByText("Another team has this name.")).toBeVisible();
  await userEvent.type(dialog.getByLabelText("Name"), "!");
  expect(dialog.getByText(/Use letters, digits/)).toBeVisible();
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  await userEvent.click(screen.getByRole("button", { name: "Edit team reviewers" }));
  const edit = within(await screen.findByRole("dialog"));
  expect(edit.getByLabelText("Name")).toBeDisabled();
  await userEvent.click(edit.getByRole("button", { name: "Save team" }));
  expect(await edit.findByRole("alert")).toHaveTextContent("there is no agent 'gone'");
});

test("deleting a team asks for confirmation", async () => {
  const { asked } = open([reviewers]);
  await userEvent.click(
    await screen.findByRole("button", { name: "Delete team reviewers" }, loaded),
  );
  const question = within(await screen.findByRole("alertdialog"));
  expect(question.getByText("team:reviewers")).toBeVisible();
  await userEvent.click(question.getByRole("button", { name: "Delete team" }));
  await waitFor(() => expect(asked("team_delete")).toEqual([{ name: "reviewers" }]));
  expect(await screen.findByText(/No teams yet/)).toBeVisible();
});
