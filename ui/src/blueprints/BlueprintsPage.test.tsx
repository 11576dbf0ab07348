import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Enrichments, PlanSummary, Preflight } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { useToasts } from "@/components/toasts";
import { makeRequest } from "@/pending/inboxFixture";
import { planOf, viewOf } from "@/plan/planFixture";
import { runSummaryOf, summaryOf } from "@/plan/planSummaryFixture";
import { resetAppState, setAppStateValue } from "@/shell/appState";
import type { FakeAnswers } from "@/shell/renderWithBackend";
import { useListSearch } from "./listView";

beforeEach(() => {
  localStorage.clear();
  resetAppState();
  useListSearch.setState({ search: "", filter: undefined });
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
  // jsdom has no layout, and the virtual list needs a height.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(1_000);
});

function open(initial: PlanSummary[], more: FakeAnswers = {}) {
  let plans = initial;
  const opened = renderApp("/blueprints", {
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

test("the list updates on run events", async () => {
  const running = runSummaryOf("p", {
    state: { state: "running", ending: null },
    endedAt: null,
    attendance: { where: "here" },
    progress: ["done", "running"],
  });
  const { change, tell } = open([summaryOf("p", { lastRun: running })]);
  expect(within(await line("Title of p")).getByText("Running")).toBeVisible();
  expect(screen.getByRole("group", { name: "1 of 2 finished, 1 running" })).toBeVisible();

  change([summaryOf("p", { lastRun: runSummaryOf("p") })]);
  tell({ change: "run", run: running.id, plan: "p", nodes: [], whole: true });
  await waitFor(async () =>
    expect(within(await line("Title of p")).getByText("Completed")).toBeVisible(),
  );
});

test("shows when a session waits for a permission request", async () => {
  const running = runSummaryOf("p", {
    state: { state: "running", ending: null },
    endedAt: null,
    attendance: { where: "here" },
    progress: ["running"],
  });
  const asks = makeRequest("1");
  const request = { ...asks, of: asks.of && { ...asks.of, run: running.id } };
  open([summaryOf("p", { lastRun: running })], {
    inbox_list: () => [],
    requests_list: () => [request],
  });
  expect(await within(await line("Title of p")).findByText("Waiting for you")).toBeVisible();
});

test("an abandoned run offers Resume without opening the row", async () => {
  const run = runSummaryOf("p", { state: { state: "running", ending: null }, endedAt: null });
  const { asked, router } = open([summaryOf("p", { lastRun: run })]);
  await userEvent.click(await screen.findByRole("button", { name: "Resume" }));
  expect(asked("run_resume")).toEqual([{ run: run.id }]);
  expect(router.state.location.pathname).toBe("/blueprints");
});

test("keys search, move, and delete after confirmation", async () => {
  const { asked } = open(["a", "b", "c"].map((id) => summaryOf(id)));
  await line("Title of a");
  await userEvent.keyboard("/title");
  expect(screen.getByRole("searchbox")).toHaveValue("title");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{Delete}");

  const question = await screen.findByRole("alertdialog");
  expect(question).toHaveTextContent("Delete “Title of b”?");
  await waitFor(() =>
    expect(question).toHaveTextContent(
      "2 runs will be deleted, including all sessions, timelines and handoffs",
    ),
  );
  await userEvent.click(within(question).getByRole("button", { name: "Delete blueprint" }));
  await waitFor(() => expect(screen.queryByText("Title of b")).toBeNull());
  expect(asked("plan_delete")).toEqual([{ plan: "b" }]);
  expect(question).toHaveTextContent("You can restore it for 30 days");
  const toast = useToasts.getState().toasts.at(-1);
  expect(toast).toMatchObject({ title: "Blueprint deleted", action: { label: "Undo" } });
  toast?.action?.onAct();
  await waitFor(() => expect(asked("plan_restore")).toEqual([{ plan: "b" }]));
});

test("Enter opens the blueprint under the cursor", async () => {
  const { router } = open(["a", "b"].map((id) => summaryOf(id)));
  await line("Title of a");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  // The page's code may still be loading, but the target is known.
  await waitFor(() => {
    const { navigation, location } = router.state;
    expect((navigation.location ?? location).pathname).toBe("/blueprints/b");
  });
});

test("2,000 blueprints render only visible rows, and titles are one line", async () => {
  open(Array.from({ length: 2_000 }, (_, at) => summaryOf(`p${at}`, { title: `One\n\n${at}` })));
  expect(await screen.findByText("One 0")).toBeVisible();
  expect(screen.getByRole("grid")).toHaveAttribute("aria-rowcount", "2001");
  expect(screen.getAllByRole("row").length).toBeLessThan(100);
});

test("an empty list offers three ways to start", async () => {
  open([]);
  expect(await screen.findByText("No blueprints")).toBeVisible();
  for (const name of ["Start from a template", "Import plan file"])
    expect(screen.getByText(name)).toBeVisible();
});

/** Fakes stored notes, stars and tags. */
function notebook(plans: Enrichments["plans"]): FakeAnswers {
  const notes: Enrichments = { plans, nodes: {}, sessions: {}, runs: {} };
  return {
    enrichments_get: () => structuredClone(notes),
    enrichment_save: ({ id, enrichment }) => {
      notes.plans[id] = enrichment;
      return structuredClone(notes);
    },
  };
}

test("starring works by key and pointer, keeps notes, and filters the list", async () => {
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

test("a star that fails to save is reverted with an error", async () => {
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

test("marks the last opened blueprint and restores layout and sort order", async () => {
  setAppStateValue("activePlan", "b");
  setAppStateValue("blueprints", { sort: { column: "title", direction: "descending" } });
  open(["a", "b"].map((id) => summaryOf(id)));
  expect(await line("Title of b")).toHaveTextContent("Last opened");
  const titles = screen.getAllByText(/^Title of/).map((title) => title.textContent);
  expect(titles).toEqual(["Title of b", "Title of a"]);
});

const verdicts = [
  { verdict: "failed", sentence: "the command is missing", mend: "enter one", node: "a" },
  { verdict: "failed", sentence: "claude is missing", mend: "run `npm i claude`", node: null },
  { verdict: "failed", sentence: "the directory is missing", mend: "choose another", node: null },
] as const;

async function openChecks() {
  let checks: Preflight["checks"] = [...verdicts];
  const plan = { ...planOf(["a"], []), id: "p" };
  const opened = open([summaryOf("p")], {
    plan_get: () => viewOf(plan),
    plan_preflight: () => ({ checks, mayRun: checks.length === 0, approvalCovers: false }) as never,
  });
  await userEvent.pointer({ keys: "[MouseRight]", target: await line("Title of p") });
  await userEvent.click(await screen.findByRole("menuitem", { name: /^Run/ }));
  const dialog = await screen.findByRole("dialog", { name: "Not ready to run" });
  return { ...opened, dialog, mendAll: () => (checks = []) };
}

test.each([
  ["Show node", "?node=a"],
  ["Open settings", "?panel=settings"],
])("%s of a check leads from the list to the cause", async (name, search) => {
  const { dialog, router } = await openChecks();
  await userEvent.click(within(dialog).getByRole("button", { name }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/blueprints/p"));
  expect(router.state.location.search).toBe(search);
});

test("checks are repeated in the list, and nothing starts although all pass", async () => {
  const { dialog, mendAll, asked } = await openChecks();
  expect(within(dialog).getAllByRole("button", { name: "Check again" })).toHaveLength(2);
  expect(within(dialog).getAllByRole("button", { name: "Check again" })[1]).toHaveFocus();
  mendAll();
  const [inRow] = within(dialog).getAllByRole("button", { name: "Check again" });
  await userEvent.click(inRow as HTMLElement);
  expect(await screen.findByRole("dialog", { name: "Ready to run" })).toBeVisible();
  expect(asked("plan_preflight")).toHaveLength(2);
  expect(asked("run_start")).toEqual([]);
});

test("checks that arrive late leave the question alone that is open then", async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isFirst = true;
  const plan = { ...planOf(["a"], []), id: "p" };
  const { asked } = open([summaryOf("p"), summaryOf("q")], {
    plan_get: () => viewOf(plan),
    plan_preflight: () => {
      if (!isFirst) return gate.then(() => ({ checks: [], mayRun: true })) as never;
      isFirst = false;
      return { checks: [...verdicts], mayRun: false } as never;
    },
  });
  await userEvent.pointer({ keys: "[MouseRight]", target: await line("Title of p") });
  await userEvent.click(await screen.findByRole("menuitem", { name: /^Run/ }));
  const dialog = await screen.findByRole("dialog", { name: "Not ready to run" });
  await userEvent.click(
    within(dialog).getAllByRole("button", { name: "Check again" })[1] as HTMLElement,
  );
  await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await userEvent.pointer({ keys: "[MouseRight]", target: await line("Title of q") });
  await userEvent.click(await screen.findByRole("menuitem", { name: /^Delete/ }));
  const question = await screen.findByRole("alertdialog");
  await act(async () => release());
  expect(asked("plan_preflight")).toHaveLength(2);
  expect(question).toBeVisible();
  expect(screen.queryByRole("dialog", { name: "Ready to run" })).toBeNull();
});

test("a damaged blueprint can be deleted but not run or duplicated", async () => {
  const damage = "plans p is damaged (tags)";
  open([summaryOf("p", { damage, version: 0, nodeCount: 0 }), summaryOf("q")]);
  const row = await line("Title of p");
  for (const guess of ["Draft", "0 nodes", "None yet"]) {
    expect(within(row).queryByText(guess), "unreadable values are not guessed").toBeNull();
  }
  expect(within(row).getByText("Damaged")).toHaveAttribute("title", damage);
  expect(within(await line("Title of q")).queryByText("Damaged")).toBeNull();
  await userEvent.click(within(row).getByRole("button", { name: "More actions" }));
  const menu = await screen.findByRole("menu");
  for (const name of [/^Run/, /^Duplicate/]) {
    expect(within(menu).getByRole("menuitem", { name })).toHaveAttribute("aria-disabled", "true");
  }
  expect(within(menu).getByRole("menuitem", { name: /^Delete/ })).not.toHaveAttribute(
    "aria-disabled",
    "true",
  );
});

test("an archived blueprint leaves the list, and comes back from the filter", async () => {
  const { change, tell, asked } = open([summaryOf("a"), summaryOf("b")], {
    plan_archive: () => viewOf(planOf([], [])),
    plan_unarchive: () => viewOf(planOf([], [])),
  });
  const user = userEvent.setup();
  const choose = async (row: string, name: string) => {
    await user.pointer({ keys: "[MouseRight]", target: await line(row) });
    await user.click(await screen.findByRole("menuitem", { name }));
  };
  expect(screen.queryByRole("button", { name: /^Archived/ })).toBeNull();
  await choose("Title of a", "Archive");
  expect(asked("plan_archive")).toEqual([{ plan: "a" }]);
  change([summaryOf("a", { archivedAt: 5 }), summaryOf("b")]);
  tell({ change: "plan", plan: "a" });
  await waitFor(() => expect(screen.queryByText("Title of a")).toBeNull());
  expect(screen.getByText("1 blueprint")).toBeVisible();

  await user.click(screen.getByRole("button", { name: /^Archived/ }));
  await choose("Title of a", "Unarchive");
  expect(asked("plan_unarchive")).toEqual([{ plan: "a" }]);
});

test("archiving, unarchiving and removing a star can be undone", async () => {
  useToasts.setState({ toasts: [] });
  const starred = { starred: true, tags: ["mine"], notes: "" };
  const { asked } = open([summaryOf("a"), summaryOf("b", { archivedAt: 5 })], {
    plan_archive: () => viewOf(planOf([], [])),
    plan_unarchive: () => viewOf(planOf([], [])),
    ...notebook({ a: starred }),
  });
  const user = userEvent.setup();
  const choose = async (row: string, name: string) => {
    await user.pointer({ keys: "[MouseRight]", target: await line(row) });
    await user.click(await screen.findByRole("menuitem", { name }));
  };
  const undo = async (title: string) => {
    const toast = () => useToasts.getState().toasts.findLast((each) => each.title === title);
    await waitFor(() => expect(toast()?.action?.label).toBe("Undo"));
    toast()?.action?.onAct();
  };
  const row = within(await line("Title of a"));
  await user.click(await row.findByRole("button", { pressed: true }));
  await undo("Star removed");
  await waitFor(() =>
    expect(asked("enrichment_save").at(-1)).toEqual({
      ...{ subject: "plan", id: "a", enrichment: starred },
    }),
  );

  await choose("Title of a", "Archive");
  await undo("Blueprint archived");
  await waitFor(() => expect(asked("plan_unarchive")).toEqual([{ plan: "a" }]));

  await user.click(screen.getByRole("button", { name: /^Archived/ }));
  await choose("Title of b", "Unarchive");
  await undo("Blueprint unarchived");
  await waitFor(() => expect(asked("plan_archive").at(-1)).toEqual({ plan: "b" }));
});

test("when all blueprints are archived, the list says so", async () => {
  open([summaryOf("a", { archivedAt: 5 })]);
  await userEvent.click(await screen.findByRole("button", { name: "Show archived" }));
  expect(await line("Title of a")).toBeVisible();
});

test("the card of a damaged blueprint shows only the damage", async () => {
  const damage = "plans p is damaged (tags)";
  setAppStateValue("blueprints", { shape: "cards" });
  open([summaryOf("p", { damage, version: 0, nodeCount: 0 }), summaryOf("q")]);
  const card = (await screen.findByText("Title of p")).closest('[role="gridcell"]') as HTMLElement;
  expect(within(card).getByText(damage)).toHaveAttribute("title", damage);
  expect(within(card).getByText("Damaged")).toBeVisible();
  for (const guess of ["Draft", "0 nodes", "No goal yet", "No directory yet"]) {
    expect(within(card).queryByText(guess), "unreadable values are not guessed").toBeNull();
  }
});

test("cards have a picture of the graph that only decorates, the table asks for none", async () => {
  const graph = {
    ...{ width: 520, height: 64, blockWidth: 220, blockHeight: 64, links: [[0, 1]] as const },
    blocks: [0, 300].map((x) => ({ x, y: 0, nodes: 1, isAgent: false })),
  };
  const empty = { ...graph, blocks: [], links: [] };
  const lastRun = runSummaryOf("p", { progress: ["done", "failed"] });
  const answers = {
    plan_thumbnail: ({ plan }: { plan: string }) => (plan === "p" ? graph : empty),
  };
  const plans = [
    summaryOf("p", { lastRun }),
    summaryOf("q"),
    summaryOf("d", { damage: "Broken", version: 0 }),
  ];
  const { asked } = open(plans, answers as FakeAnswers);
  await line("Title of p");
  expect(asked("plan_thumbnail")).toEqual([]);

  await userEvent.click(screen.getByRole("radio", { name: "Cards" }));
  const card = async (title: string) =>
    (await screen.findByText(title)).closest('[role="gridcell"]') as HTMLElement;
  const picture = async (title: string) =>
    waitFor(async () => {
      const found = (await card(title)).querySelector("[aria-hidden=true] > svg");
      expect(found).not.toBeNull();
      return found as SVGElement;
    });
  const states = [...(await picture("Title of p")).querySelectorAll("rect")].map(
    (shape) => shape.dataset.state,
  );
  expect(states).toEqual(["done", "failed"]);
  const dashed = (await picture("Title of q")).querySelectorAll("rect[stroke-dasharray]");
  expect(dashed).toHaveLength(1);
  expect((await card("Title of d")).querySelector("[aria-hidden=true] > svg > rect")).toBeNull();
  expect(asked("plan_thumbnail")).toEqual([{ plan: "p" }, { plan: "q" }]);
});
