import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { PlanSummary } from "@/api/bindings";
import { openWindow } from "@/app/fakeBackend";
import { useListWish } from "./listWish";
import { runSummaryOf, summaryOf } from "./planSummaryFixture";

beforeEach(() => {
  localStorage.clear();
  useListWish.setState({ search: "", filter: undefined, sort: undefined, shape: "table" });
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
  // jsdom lays nothing out; the virtual list needs a window of some height.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(1_000);
});

function open(initial: PlanSummary[]) {
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
    attended: true,
    progress: ["done", "running"],
  });
  const { change, tell } = open([summaryOf("p", { lastRun: running })]);
  expect(within(await line("Title of p")).getByText("Running")).toBeVisible();
  expect(screen.getByRole("img", { name: "1 of 2 finished, 1 running" })).toBeVisible();

  change([summaryOf("p", { lastRun: runSummaryOf("p") })]);
  tell({ change: "run", run: running.id, plan: "p", nodes: [] });
  await waitFor(async () =>
    expect(within(await line("Title of p")).getByText("Completed")).toBeVisible(),
  );
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
