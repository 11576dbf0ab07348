import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Enrichments, PlanSummary } from "@/api/bindings";
import { openWindow } from "@/app/openWindow";
import { requestOf } from "@/asks/inboxFixture";
import { useToasts } from "@/components/toasts";
import { runSummaryOf, summaryOf } from "@/plan/planSummaryFixture";
import { forgetAppState, remember } from "@/shell/appState";
import type { Answers } from "@/shell/fakePart";
import { useListWords } from "./listWish";

beforeEach(() => {
  localStorage.clear();
  forgetAppState();
  useListWords.setState({ search: "", filter: undefined });
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
  // jsdom lays nothing out; the virtual list needs a window of some height.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(1_000);
});

function open(initial: PlanSummary[], more: Answers = {}) {
  let plans = initial;
  const opened = openWindow("/blueprints", {
    plans_list: () => plans,
    runs_list: ({ plan }) => [runSummaryOf(plan ?? ""), runSummaryOf(plan ?? "")],
    plan_delete: ({ plan }) => {
      plans = plans.filter(({ id }) => id !== plan);
      opened.tell({ change: "plan_deleted", plan });
      return {};
    },
    run_resume: () => runSummaryOf("p"),
    ...more,
  });
  return {
    ...opened,
    change: (next: PlanSummary[]) => {
      plans = next;
    },
  };
}

async function line(name: string) {
  return (await screen.findByText(name)).closest("tr") as HTMLElement;
}

test("the list follows the news of a run", async () => {
  const running = runSummaryOf("p", {
    state: { state: "running", ending: null },
    endedAt: null,
    attendance: { where: "here" },
    progress: ["done", "running"],
  });
  const { change, tell } = open([summaryOf("p", { lastRun: running })]);
  expect(within(await line("Title of p")).getByText("Running")).toBeVisible();
  expect(screen.getByRole("img", { name: "1 of 2 finished, 1 running" })).toBeVisible();

  change([summaryOf("p", { lastRun: runSummaryOf("p") })]);
  tell({ change: "run", run: running.id, plan: "p", nodes: [], whole: true });
  await waitFor(async () =>
    expect(within(await line("Title of p")).getByText("Completed")).toBeVisible(),
  );
});

test("a run whose session waits for a person to allow its request says so", async () => {
  const running = runSummaryOf("p", {
    state: { state: "running", ending: null },
    endedAt: null,
    attendance: { where: "here" },
    progress: ["running"],
  });
  const asks = requestOf("1");
  const request = { ...asks, of: asks.of && { ...asks.of, run: running.id } };
  open([summaryOf("p", { lastRun: running })], {
    inbox_list: () => [],
    requests_list: () => [request],
  });
  expect(await within(await line("Title of p")).findByText("Waiting for you")).toBeVisible();
});

test("a run whose executor is gone offers to resume, and the row does not open", async () => {
  const run = runSummaryOf("p", { state: { state: "running", ending: null }, endedAt: null });
  const { asked, router } = open([summaryOf("p", { lastRun: run })]);
  await userEvent.click(await screen.findByRole("button", { name: "Resume" }));
  expect(asked("run_resume")).toEqual([{ run: run.id }]);
  expect(router.state.location.pathname).toBe("/blueprints");
});

test("keys search, move and delete after a question that names what goes", async () => {
  const { asked } = open(["a", "b", "c"].map((id) => summaryOf(id)));
  await line("Title of a");
  await userEvent.keyboard("/title");
  expect(screen.getByRole("searchbox")).toHaveValue("title");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{Delete}");

  const question = await screen.findByRole("alertdialog");
  expect(question).toHaveTextContent("Delete “Title of b”?");
  await waitFor(() =>
    expect(question).toHaveTextContent("2 runs with all sessions, timelines and handoffs"),
  );
  await userEvent.click(within(question).getByRole("button", { name: "Delete blueprint" }));
  await waitFor(() => expect(screen.queryByText("Title of b")).toBeNull());
  expect(asked("plan_delete")).toEqual([{ plan: "b" }]);
});

test("Enter opens the blueprint under the cursor", async () => {
  const { router } = open(["a", "b"].map((id) => summaryOf(id)));
  await line("Title of a");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  // The page's code is still being read; where to is settled.
  await waitFor(() => {
    const { navigation, location } = router.state;
    expect((navigation.location ?? location).pathname).toBe("/blueprints/b");
  });
});

test("two thousand blueprints draw only what is in sight, and a title with newlines is one line", async () => {
  open(Array.from({ length: 2_000 }, (_, at) => summaryOf(`p${at}`, { title: `One\n\n${at}` })));
  expect(await screen.findByText("One 0")).toBeVisible();
  expect(screen.getByRole("grid")).toHaveAttribute("aria-rowcount", "2001");
  expect(screen.getAllByRole("row").length).toBeLessThan(100);
});

test("no blueprint at all offers three ways to the first", async () => {
  open([]);
  expect(await screen.findByText("No blueprints")).toBeVisible();
  for (const name of ["Start from a template", "Import a file"])
    expect(screen.getByText(name)).toBeVisible();
});

/** Answers about notes, kept as the backend keeps them. */
function notebook(plans: Enrichments["plans"]): Answers {
  const notes: Enrichments = { plans, nodes: {}, sessions: {} };
  return {
    enrichments_get: () => structuredClone(notes),
    enrichment_save: ({ id, enrichment }) => {
      notes.plans[id] = enrichment;
      return structuredClone(notes);
    },
  };
}

test("a star is set with the list's key and by pointer, keeps the notes, and its chip leaves only those", async () => {
  const kept = { starred: false, tags: ["mine"], notes: "ask Ann" };
  const { asked, router } = open(
    ["a", "b"].map((id) => summaryOf(id)),
    notebook({ b: kept }),
  );
  await userEvent.click(within(await line("Title of a")).getByRole("button", { name: /^Star/ }));
  expect(router.state.location.pathname, "the row does not open").toBe("/blueprints");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}s");
  await waitFor(() =>
    expect(asked("enrichment_save")).toEqual([
      { subject: "plan", id: "a", enrichment: { starred: true, tags: [], notes: "" } },
      { subject: "plan", id: "b", enrichment: { ...kept, starred: true } },
    ]),
  );
  await userEvent.click(within(await line("Title of b")).getByRole("button", { pressed: true }));
  await userEvent.click(screen.getByRole("button", { name: /^Starred\s*1$/ }));
  expect(screen.getByText("Title of a")).toBeVisible();
  expect(screen.queryByText("Title of b")).toBeNull();
});

test("a star that cannot be stored is taken back and says why", async () => {
  open([summaryOf("a")], {
    ...notebook({}),
    enrichment_save: () => {
      throw new ApiError("unavailable", "The disk is full.");
    },
  });
  const star = within(await line("Title of a")).getByRole("button", { name: /^Star/ });
  await userEvent.click(star);
  await waitFor(() =>
    expect(useToasts.getState().toasts.map(({ detail }) => detail)).toContain("The disk is full."),
  );
  await waitFor(() => expect(star).toHaveAttribute("aria-pressed", "false"));
});

test("the blueprint that was open last is marked, and shape and order come back", async () => {
  remember("activePlan", "b");
  remember("blueprints", { sort: { column: "title", direction: "descending" } });
  open(["a", "b"].map((id) => summaryOf(id)));
  expect(await line("Title of b")).toHaveTextContent("Last opened");
  const titles = screen.getAllByText(/^Title of/).map((title) => title.textContent);
  expect(titles).toEqual(["Title of b", "Title of a"]);
});

test("a damaged blueprint is listed by name, can be deleted, and is not run or copied", async () => {
  const damage = "plans p: its stored form is damaged (tags)";
  open([summaryOf("p", { damage, version: 0, nodeCount: 0 }), summaryOf("q")]);
  const row = await line("Title of p");
  for (const guess of ["Draft", "0 nodes", "None yet"]) {
    expect(within(row).queryByText(guess), "what cannot be read is not guessed").toBeNull();
  }
  expect(within(row).getByText("Damaged")).toHaveAttribute("title", damage);
  expect(within(await line("Title of q")).queryByText("Damaged")).toBeNull();
  await userEvent.click(within(row).getByRole("button", { name: "More acts" }));
  const menu = await screen.findByRole("menu");
  for (const name of [/^Run/, /^Duplicate/]) {
    expect(within(menu).getByRole("menuitem", { name })).toHaveAttribute("aria-disabled", "true");
  }
  expect(within(menu).getByRole("menuitem", { name: /^Delete/ })).not.toHaveAttribute(
    "aria-disabled",
    "true",
  );
});

test("the card of a damaged blueprint shows the damage and guesses nothing", async () => {
  const damage = "plans p: its stored form is damaged (tags)";
  remember("blueprints", { shape: "cards" });
  open([summaryOf("p", { damage, version: 0, nodeCount: 0 }), summaryOf("q")]);
  const card = (await screen.findByText("Title of p")).closest('[role="gridcell"]') as HTMLElement;
  expect(within(card).getByText(damage)).toHaveAttribute("title", damage);
  expect(within(card).getByText("Damaged")).toBeVisible();
  for (const guess of ["Draft", "0 nodes", "No goal written", "No directory yet"]) {
    expect(within(card).queryByText(guess), "what cannot be read is not guessed").toBeNull();
  }
});
