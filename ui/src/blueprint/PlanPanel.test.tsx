import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Enrichments } from "@/api/bindings";
import { blankKind } from "@/plan/kinds";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { draftNames } from "@/shell/drafts";
import { PlanPanel } from "./PlanPanel";

const noted: Enrichments = {
  plans: { plan: { starred: true, tags: [], notes: "Ask Ann" } },
  nodes: {},
  sessions: {},
  runs: {},
};

beforeEach(() => localStorage.clear());

function open() {
  const opened = openBlueprint(<PlanPanel />, {
    view: viewOf(planOf(["a"], [])),
    answers: { enrichments_get: noted, enrichment_save: noted, agents_list: [] },
  });
  openAdvanced();
  return opened;
}

const advanced = () => screen.getByRole("button", { name: /^Advanced/ });
/** The section may already have opened by itself. */
function openAdvanced() {
  if (advanced().getAttribute("aria-expanded") === "false") fireEvent.click(advanced());
}

test("budget, questions, takeover and agent limits can be changed and undone", async () => {
  const { editor } = open();
  const settings = () => editor.getState().plan.settings;
  await userEvent.type(screen.getByRole("textbox", { name: "Cost limit" }), "2.50{Enter}");
  expect(settings().budget).toEqual({ tokens: null, costUsd: 2.5 });
  await userEvent.click(screen.getByRole("switch", { name: "Allow takeover" }));
  expect(settings().takeoverAllowed).toBe(false);
  expect(screen.getByText(/run again if files have changed/)).toBeVisible();
  await userEvent.click(screen.getByRole("combobox", { name: "After a takeover" }));
  await userEvent.click(await screen.findByRole("option", { name: "Ask me" }));
  expect(settings().onTakeover).toBe("review");

  await userEvent.click(screen.getByRole("combobox", { name: "Autonomy level" }));
  await userEvent.click(await screen.findByRole("option", { name: /Never ask/ }));
  expect(screen.getByText(/^Nothing needs approval and nothing is blocked/)).toBeVisible();
  expect(settings().autonomy).toBe(4);

  await userEvent.click(screen.getByRole("combobox", { name: "Max parallel sessions per agent" }));
  await userEvent.type(screen.getByPlaceholderText("Search or type"), "codex");
  await userEvent.click(await screen.findByText("Use “codex”"));
  expect(settings().agentConcurrency).toEqual({ codex: 2 });
  await userEvent.click(screen.getByRole("button", { name: "Remove limit for codex" }));
  expect(settings().agentConcurrency).toEqual({});
  for (let step = 0; step < 6; step += 1) editor.getState().undo();
  expect(settings()).toEqual(planOf([], []).settings);
});

test("the default model can be set and removed", async () => {
  const { editor } = open();
  const field = screen.getByRole("textbox", { name: "Default model" });
  await userEvent.type(field, "haiku");
  expect(editor.getState().plan.origin.executorModel).toBe("haiku");
  await userEvent.clear(field);
  expect(editor.getState().plan.origin.executorModel).toBeNull();
});

test("risks and context are shown where a blueprint has them", () => {
  const plan = { ...planOf(["a"], []), risks: [{ text: "It may be slow" }] };
  openBlueprint(<PlanPanel />, { view: viewOf(plan), answers });
  expect(screen.getByText("It may be slow")).toBeVisible();
});

test("unset fields show the defaults from Settings, and can be unset again", async () => {
  const runDefaults = {
    autonomy: 0 as const,
    concurrency: 8,
    timeoutMs: 7_200_000,
    agentTimeoutMs: 3_600_000,
    commandTimeoutMs: null,
  };
  const { editor } = openBlueprint(<PlanPanel />, {
    view: viewOf(planOf(["a"], [])),
    answers: {
      enrichments_get: noted,
      agents_list: [],
      settings_get: {
        theme: "dark",
        defaultAgent: "claude",
        takeoverAllowed: true,
        guardedTools: [],
        proposalDays: { automatic: 7, asked: 30 },
        runDefaults,
      },
    },
  });
  const settings = () => editor.getState().plan.settings;
  openAdvanced();
  const level = screen.getByRole("combobox", { name: "Autonomy level" });
  await waitFor(() =>
    expect(level).toHaveTextContent("Default from Settings: 0 · Ask for everything"),
  );
  expect(screen.getByText(/Every node asks before it starts/)).toBeVisible();
  const nodes = screen.getByRole("textbox", { name: "Max parallel nodes" });
  expect(nodes).toHaveAttribute("placeholder", "8");
  const limit = screen.getByRole("textbox", { name: "Run time limit" });
  expect(limit).toHaveAttribute("placeholder", "2h 00m");
  expect(screen.getByLabelText("Agent timeout")).toHaveAttribute("placeholder", "1h 00m");
  const commands = screen.getByLabelText("Command timeout");
  expect(commands).toHaveAttribute("placeholder", "1m 00s");

  await userEvent.type(nodes, "0{Enter}");
  expect(nodes).toBeInvalid();
  await userEvent.clear(nodes);
  await userEvent.type(nodes, "2{Enter}");
  await userEvent.type(commands, "5m{Enter}");
  await userEvent.click(level);
  await userEvent.click(await screen.findByRole("option", { name: /^1 · / }));
  expect(settings()).toMatchObject({ autonomy: 1, concurrency: 2, commandTimeoutMs: 300_000 });
  await userEvent.clear(nodes);
  await userEvent.tab();
  await userEvent.click(level);
  await userEvent.click(await screen.findByRole("option", { name: /^Default from Settings/ }));
  expect(settings()).toMatchObject({ autonomy: null, concurrency: null });
});

test("sets the number of run retries", async () => {
  const { editor } = open();
  const field = screen.getByRole("textbox", { name: "Run retries" });
  expect(field).toHaveValue("0");
  await userEvent.clear(field);
  await userEvent.type(field, "2{Enter}");
  expect(editor.getState().plan.settings.planRetries).toBe(2);
  await userEvent.type(field, "01{Enter}");
  expect(field).toBeInvalid();
  expect(
    editor.getState().plan.settings.planRetries,
    "a value above the maximum changes nothing",
  ).toBe(20);
});

test("the time limit accepts common formats, and empty means none", async () => {
  const { editor } = open();
  const limit = screen.getByRole("textbox", { name: "Run time limit" });
  expect(limit).toHaveAttribute("placeholder", "No limit");
  await userEvent.type(limit, "1.5h{Enter}");
  expect(editor.getState().plan.settings.timeoutMs).toBe(5_400_000);
  expect(limit).toHaveValue("1h 30m");

  await userEvent.clear(limit);
  await userEvent.type(limit, "soon{Enter}");
  expect(limit).toBeInvalid();
  expect(editor.getState().plan.settings.timeoutMs, "an invalid duration changes nothing").toBe(
    5_400_000,
  );
  await userEvent.clear(limit);
  await userEvent.tab();
  expect(editor.getState().plan.settings.timeoutMs).toBeNull();
  editor.getState().undo();
  expect(editor.getState().plan.settings.timeoutMs).toBe(5_400_000);
});

test("notes are saved after a delay, keep the star, and do not change the plan", async () => {
  const { call, editor } = open();
  const notes = screen.getByRole("textbox", { name: "Your notes" });
  await waitFor(() => expect(notes).toHaveValue("Ask Ann"));
  expect(notes).toHaveAccessibleDescription(/don't change the version/);
  await userEvent.type(notes, " today");
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith("enrichment_save", {
      subject: "plan",
      id: "plan",
      enrichment: { starred: true, tags: [], notes: "Ask Ann today" },
    }),
  );
  expect(editor.getState().canUndo).toBe(false);
});

test("notes that couldn't be saved are there again, and saved then", async () => {
  const away = open();
  away.call.mockImplementation(async (name) => {
    if (name === "enrichment_save") throw new ApiError("unavailable", "Baton isn't responding.");
    return name === "enrichments_get" ? noted : [];
  });
  const notes = screen.getByRole("textbox", { name: "Your notes" });
  await waitFor(() => expect(notes).toBeEnabled());
  await userEvent.type(notes, " today");
  await userEvent.tab();
  expect(await screen.findByText(/Couldn't save\. Keep typing/)).toBeVisible();
  expect(notes).toHaveValue("Ask Ann today");
  away.unmount();

  const { call } = open();
  const again = screen.getByRole("textbox", { name: "Your notes" });
  expect(again).toHaveValue("Ask Ann today");
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith(
      "enrichment_save",
      expect.objectContaining({ enrichment: { starred: true, tags: [], notes: "Ask Ann today" } }),
    ),
  );
  await waitFor(() => expect(draftNames("notes/")).toEqual([]));
});

test("pending notes are saved when the panel closes", async () => {
  const { call, unmount } = open();
  const notes = screen.getByRole("textbox", { name: "Your notes" });
  await waitFor(() => expect(notes).toBeEnabled());
  await userEvent.type(notes, "!");
  unmount();
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith(
      "enrichment_save",
      expect.objectContaining({ enrichment: { starred: true, tags: [], notes: "Ask Ann!" } }),
    ),
  );
});

test.each([
  { kind: "agent", isFault: true },
  { kind: "command", isFault: false },
] as const)(
  "a missing default agent with a $kind node is an error: $isFault",
  async ({ kind, isFault }) => {
    const plan = planOf(["a"], []);
    const nodes = plan.nodes.map((node) => ({ ...node, kind: blankKind(kind) }));
    const missing = {
      id: "claude",
      title: "Claude Code",
      default: true,
      path: null,
      mend: "Install it with `npm`.",
    };
    openBlueprint(<PlanPanel />, {
      view: viewOf({ ...plan, nodes }),
      answers: { enrichments_get: noted, agents_list: [missing], teams_list: [] },
    });
    const agent = screen.getByRole("combobox", { name: "Default agent" });
    await userEvent.click(agent);
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(2));
    await userEvent.keyboard("{Escape}");
    expect(agent.getAttribute("aria-invalid")).toBe(isFault ? "true" : null);
    const shown = isFault ? 1 : 0;
    expect(screen.queryAllByText("Claude Code was not found.")).toHaveLength(shown);
    expect(screen.queryAllByText(/^Install it with/)).toHaveLength(shown);
    expect(screen.queryAllByRole("button", { name: "Copy npm" })).toHaveLength(shown);
  },
);

test("the sandbox can be turned off for all sessions, with an explanation", async () => {
  const { editor } = open();
  expect(screen.getByText(/can't reach Baton's data/)).toBeVisible();
  await userEvent.click(screen.getByRole("combobox", { name: "Sandbox" }));
  await userEvent.click(await screen.findByRole("option", { name: "Off" }));
  expect(editor.getState().plan.settings.sandbox).toBe("off");
  expect(screen.getByText(/^Sessions can reach Baton's data/)).toBeVisible();
  editor.getState().undo();
  expect(editor.getState().plan.settings.sandbox ?? "on").toBe("on");
});

const untouched: Enrichments = { plans: {}, nodes: {}, sessions: {}, runs: {} };
const answers = { enrichments_get: untouched, agents_list: [], grants_list: [] };

test("title, goal, directory and default agent come first, and the rest is folded", async () => {
  openBlueprint(<PlanPanel />, { view: viewOf(planOf(["a"], [])), answers });
  expect(screen.getByRole("combobox", { name: "Default agent" })).toBeVisible();
  const boxes = screen.getAllByRole("textbox").map((box) => box.getAttribute("id"));
  const named = ["Title", "Goal", "Directory"].map(
    (name) => screen.getByRole("textbox", { name }).id,
  );
  expect(boxes).toEqual(named);
  expect(advanced()).toHaveAttribute("aria-expanded", "false");
  advanced().focus();
  await userEvent.keyboard("{Enter}");
  expect(screen.getByRole("textbox", { name: "Max parallel nodes" })).toBeVisible();
});

test("Advanced opens by itself for a changed setting, and stays open when it is set back", async () => {
  const plan = planOf(["a"], []);
  const { editor } = openBlueprint(<PlanPanel />, {
    view: viewOf({ ...plan, settings: { ...plan.settings, concurrency: 2 } }),
    answers,
  });
  const nodes = screen.getByRole("textbox", { name: "Max parallel nodes" });
  await userEvent.clear(nodes);
  await userEvent.tab();
  expect(editor.getState().plan.settings.concurrency).toBeNull();
  expect(nodes).toBeVisible();
  await userEvent.click(advanced());
  expect(nodes).not.toBeInTheDocument();
});

test("Advanced stays folded for a tag, which its header shows", async () => {
  const plan = planOf(["a"], []);
  const tagged = { ...plan, settings: { ...plan.settings, tags: ["example"] } };
  openBlueprint(<PlanPanel />, { view: viewOf(tagged), answers });
  expect(advanced()).toHaveAttribute("aria-expanded", "false");
  expect(advanced()).toHaveTextContent("Tags");
});

test("the setting of the error handler is focused in Advanced, even if a person folded it", async () => {
  const plan = planOf(["a"], []);
  const { page } = openBlueprint(<PlanPanel />, {
    view: viewOf({ ...plan, settings: { ...plan.settings, onFailure: "Clean up" } }),
    answers,
  });
  await userEvent.click(advanced());
  expect(advanced()).toHaveAttribute("aria-expanded", "false");
  act(() => page.setState({ choosingErrorHandler: true }));
  expect(screen.getByRole("combobox", { name: "When a run fails, run" })).toHaveFocus();
  expect(page.getState().choosingErrorHandler).toBe(false);
  await userEvent.click(advanced());
  expect(advanced()).toHaveAttribute("aria-expanded", "false");
});

test("Advanced opens for an error in one of its fields, even if it was folded before", async () => {
  const { editor } = openBlueprint(<PlanPanel />, { view: viewOf(planOf(["a"], [])), answers });
  const problem = {
    problem: { problem: "empty_budget" },
    sentence: "The budget is zero.",
    preventsSaving: true,
    nodes: [],
  } as const;
  act(() => editor.setState({ problems: [problem] }));
  expect(await screen.findByText("The budget is zero.")).toBeVisible();
});

test("your own notes open Advanced once they are loaded", async () => {
  openBlueprint(<PlanPanel />, {
    view: viewOf(planOf(["a"], [])),
    answers: { ...answers, enrichments_get: noted },
  });
  await waitFor(() => expect(screen.getByLabelText("Your notes")).toHaveValue("Ask Ann"));
});

test("titles follow the direction of their language", async () => {
  const { editor } = openBlueprint(<PlanPanel />, { view: viewOf(planOf(["a"], [])), answers });
  for (const name of ["Title", "Goal"])
    expect(screen.getByRole("textbox", { name })).toHaveAttribute("dir", "auto");
  await userEvent.clear(screen.getByRole("textbox", { name: "Title" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Title" }), "بناء");
  expect(editor.getState().plan.title).toBe("بناء");
});
