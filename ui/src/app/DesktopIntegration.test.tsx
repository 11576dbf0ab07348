import { act, configure, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { CloseRequest, Desktop, OpenRequest, PickedFile } from "@/api/Backend";
import type { PlanImportPreview } from "@/api/bindings";
import { useToasts } from "@/components/toasts";
import { planOf } from "@/plan/planFixture";
import { getAppStateValue, resetAppState, setAppStateValue } from "@/shell/appState";
import type { FakeAnswers } from "@/shell/renderWithBackend";
import { renderApp } from "./renderApp";
// Preloaded: the app loads these modules lazily.
import "@/blueprint/BlueprintPage";
import "@/blueprints/NewBlueprintPage";
import "@/inbox/InboxPage";
import "@/sessions/SessionPage";
import "@/settings/SettingsPage";
import "@/sessions/NodeTimelinePage";
import "@/desktop/CloseWindowDialog";
import "@/desktop/OpenedFileDialog";

configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });
beforeEach(() => {
  resetAppState();
  useToasts.setState({ toasts: [] });
});

/** The desktop window, with functions that send it open and close requests. */
async function open(answers: FakeAnswers = {}) {
  const arrivals = new Set<(arrival: OpenRequest) => void>();
  const questions = new Set<(question: CloseRequest) => void>();
  const answerCloseRequest = vi.fn<Desktop["answerCloseRequest"]>(async () => {});
  const desktop: Desktop = {
    onOpenRequest(listener) {
      arrivals.add(listener);
      return () => arrivals.delete(listener);
    },
    onCloseRequest(listener) {
      questions.add(listener);
      return () => questions.delete(listener);
    },
    answerCloseRequest,
    openDataFolder: async () => {},
  };
  const lists: FakeAnswers = { inbox_list: () => [], runs_ended: () => [], plans_list: () => [] };
  const window = renderApp("/settings", { ...lists, ...answers }, { desktop });
  // The layout appears together with its first page.
  await screen.findByRole("link", { name: "Inbox" });
  return {
    ...window,
    answerCloseRequest,
    arrive: (arrival: OpenRequest) =>
      act(async () => {
        for (const listener of arrivals) listener(arrival);
      }),
    ask: (question: CloseRequest) =>
      act(async () => {
        for (const listener of questions) listener(question);
      }),
  };
}

const running: CloseRequest = { wish: "close", runs: ["Release"], programs: [], tray: true };
const file: PickedFile = { name: "/plans/a.baton.yaml", read: async () => "baton: 1" };

function readOf(facts: Partial<PlanImportPreview> = {}): PlanImportPreview {
  return { plan: planOf(["Fetch"], []), fate: "new", warnings: [], subPlans: 0, ...facts };
}

test.each<[OpenRequest, string]>([
  [{ kind: "place", place: { page: "inbox" } }, "/inbox"],
  [{ kind: "place", place: { page: "new_blueprint" } }, "/blueprints/new"],
  [{ kind: "place", place: { page: "blueprint", plan: "p", run: "r" } }, "/blueprints/p?run=r"],
  [{ kind: "place", place: { page: "node", plan: "p", node: "n" } }, "/blueprints/p/nodes/n"],
  [{ kind: "place", place: { page: "session", session: "s:1" } }, "/session/s%3A1"],
])("%j opens its page", async (arrival, address) => {
  const { arrive, router } = await open();
  await arrive(arrival);
  await waitFor(() => {
    const { pathname, search } = router.state.location;
    expect(pathname + search).toBe(address);
  });
});

test("an invalid link shows an error and does not navigate", async () => {
  const { arrive, router } = await open();
  await arrive({ kind: "unknown", what: "baton://run/all", reason: "Unknown link." });
  expect(useToasts.getState().toasts).toMatchObject([
    { title: "Couldn't open “baton://run/all”", detail: "Unknown link." },
  ]);
  expect(router.state.location.pathname).toBe("/settings");
});

test("opened files are previewed one after another", async () => {
  const { arrive, asked } = await open({ plan_look: () => readOf({ subPlans: 2 }) });
  await arrive({ kind: "file", file });
  await arrive({ kind: "file", file: { ...file, name: "/plans/b.baton.yaml" } });
  expect(await screen.findByText(/Nothing is imported yet/)).toBeVisible();
  expect(screen.getByText(/with 2 more blueprints/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(await screen.findByText("/plans/b.baton.yaml")).toBeVisible();
  expect(asked("plan_bring")).toEqual([]);
});

test("confirming imports the file by its path", async () => {
  const bring = vi.fn((): never => {
    throw new ApiError("refused", "The disk is full.");
  });
  const { arrive, asked } = await open({
    plan_look: () => readOf({ fate: "changed" }),
    plan_bring: bring,
  });
  await arrive({ kind: "file", file });
  await userEvent.click(await screen.findByRole("button", { name: "Import as next version" }));
  expect(asked("plan_bring")).toEqual([{ fileName: file.name, text: "baton: 1", cwd: null }]);
  await waitFor(() =>
    expect(useToasts.getState().toasts).toMatchObject([{ detail: "The disk is full." }]),
  );
  expect(screen.getByRole("dialog"), "can be retried").toBeVisible();
});

test("an invalid file lists every error and cannot be imported", async () => {
  const faults = ["a.baton.yaml:2:1: no nodes", "a.baton.yaml:3:1: <b>what</b>"];
  const { arrive } = await open({
    plan_look: () => {
      throw new ApiError("invalid", faults.join("\n"), { faults });
    },
  });
  await arrive({ kind: "file", file });
  for (const fault of faults) expect(await screen.findByText(fault)).toBeVisible();
  expect(screen.queryByRole("button", { name: /Import/ })).not.toBeInTheDocument();
});

test("closing during a run asks, and the answer can be remembered", async () => {
  const { ask, answerCloseRequest } = await open();
  await ask({ ...running, runs: ["A", "B", "C", "D", "E"] });
  expect(await screen.findByText("“A”, “B”, “C” and 2 more are running.")).toBeVisible();
  await userEvent.click(screen.getByRole("switch", { name: "Remember my choice" }));
  await userEvent.click(screen.getByRole("button", { name: "Keep in tray" }));
  expect(answerCloseRequest).toHaveBeenCalledExactlyOnceWith("background");
  expect(getAppStateValue("leaving")).toBe("background");

  await ask(running);
  expect(answerCloseRequest).toHaveBeenCalledTimes(2);
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

test("Escape keeps the window open", async () => {
  const { ask, answerCloseRequest } = await open();
  await ask({ ...running, tray: false });
  expect(await screen.findByRole("button", { name: "Keep running" })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(answerCloseRequest).toHaveBeenCalledExactlyOnceWith("stay");
});

test("quitting during a run always asks", async () => {
  setAppStateValue("leaving", "background");
  const { ask, answerCloseRequest } = await open();
  await ask({ ...running, wish: "quit" });
  expect(await screen.findByText(/No more nodes start/)).toBeVisible();
  expect(screen.queryByRole("switch", { name: "Remember my choice" })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Quit Baton" }));
  expect(answerCloseRequest).toHaveBeenCalledExactlyOnceWith("quit");
});

test("a program in a terminal is not ended without asking, whatever was chosen for runs", async () => {
  setAppStateValue("leaving", "quit");
  const { ask, answerCloseRequest } = await open();
  await ask({ ...running, runs: [], programs: ["vim", "sleep"] });
  expect(await screen.findByText("vim and sleep are running in a terminal.")).toBeVisible();
  expect(screen.getByText("Programs in terminals are ended.")).toBeVisible();
  expect(screen.queryByText(/No more nodes start/)).not.toBeInTheDocument();
  expect(answerCloseRequest).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Quit Baton" }));
  expect(answerCloseRequest).toHaveBeenCalledExactlyOnceWith("quit");

  await ask(running);
  expect(answerCloseRequest).toHaveBeenCalledTimes(2);
});
