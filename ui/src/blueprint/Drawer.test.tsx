import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { HistoryRow, OutputWindow } from "@/api/bindings";
import { FakeOutput } from "@/output/outputFixture";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { historyRowsOf } from "@/run/historyFixture";
import { Drawer } from "./Drawer";

beforeEach(() => {
  vi.restoreAllMocks();
  // jsdom has no layout, and the virtual list needs a height.
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(280);
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(900);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(280);
});

const plan = planOf(["a", "b", "c"], ["a>b"]);

const events: Record<number, Partial<HistoryRow>> = {
  1: {
    actor: "person:shell",
    event: {
      event: "started",
      plan: "plan",
      version: 1,
      goal: { want: "all" },
      limit: 4,
      executor: "e",
    },
    sentence: "run of version 1 started",
  },
  2: { event: { event: "node_started", node: "b", attempt: 1 }, sentence: "'b' started" },
  3: {
    actor: "session:s-b",
    event: { event: "nodes_reset", nodes: ["a", "b"] },
    sentence: "2 nodes were reset",
  },
  202: {
    event: { event: "taken_over", executor: "f", epoch: 1 },
    sentence: "taken over from process 17",
    details: ["Inherited: 1 finished node", "Remaining: 2 nodes"],
  },
};

function open(length: number, answer?: () => never) {
  const history = { length };
  const shown = runOf(plan, {});
  const nodes = shown.nodes.map((each) => ({ ...each, session: `s-${each.node}` }));
  const run = { ...shown, nodes, seq: length };
  const opened = openBlueprint(<Drawer />, { view: viewOf(plan), run });
  opened.call.mockImplementation(async (name, input) => {
    if (name !== "run_history") return [];
    if (answer) answer();
    const { after, limit } = input as { after: number; limit: number };
    return historyRowsOf(history.length, events).slice(after, after + limit);
  });
  const grow = (to: number) => {
    history.length = to;
    opened.editor.getState().showRun(run.summary.id, { ...run, seq: to });
  };
  return { ...opened, grow };
}

const history = () => userEvent.click(screen.getByRole("tab", { name: "History" }));
const lines = () => screen.getAllByRole("row").map((row) => row.textContent);

test("the history shows time, actor and event, newest first, and follows the run", async () => {
  const { grow } = open(3);
  await history();
  await screen.findByRole("grid");
  const [latest, , first] = screen.getAllByRole("row");
  expect(latest).toHaveTextContent("Session of Title of b2 nodes were reset.2 nodes");
  expect(first).toHaveTextContent("You, in a shellRun of version 1 started.");
  expect(first?.querySelector("time"), "the exact time is on hover").toHaveAttribute(
    "title",
    expect.stringContaining("1970"),
  );

  grow(4);
  await waitFor(() => expect(lines()[0]).toContain("Event 4."));
});

test("the scroll position is kept when new events arrive", async () => {
  const { grow } = open(100);
  await history();
  const place = (await screen.findByRole("grid")).parentElement as HTMLElement;
  place.scrollTop = 560;
  grow(103);
  await waitFor(() => expect(place.scrollTop).toBe(560 + 3 * 28));
});

test("the details of a takeover count toward the scroll position", async () => {
  const { grow } = open(200);
  await history();
  const place = (await screen.findByRole("grid")).parentElement as HTMLElement;
  place.scrollTop = 560;
  grow(203);
  await waitFor(() => expect(place.scrollTop).toBe(560 + 5 * 28));
});

test("all details of a takeover are shown", async () => {
  open(202);
  await history();
  await screen.findByRole("grid");
  const [latest] = screen.getAllByRole("row");
  expect(latest).toHaveTextContent("Taken over from process 17.");
  expect(latest).toHaveTextContent("Inherited: 1 finished nodeRemaining: 2 nodes");
});

test("clicking a node in the history selects it and shows its timeline", async () => {
  const { editor, page } = open(3);
  await history();
  await userEvent.click(await screen.findByRole("button", { name: "Title of b" }));
  expect([...editor.getState().selection]).toEqual(["b"]);
  expect(page.getState().drawerTab).toBe("timeline");
});

test("arrow keys move between events, and Enter opens the node", async () => {
  const { editor } = open(3);
  await history();
  const grid = await screen.findByRole("grid");
  grid.focus();
  await userEvent.keyboard("{ArrowDown}");
  expect(grid).toHaveAttribute("aria-activedescendant", "event-2");
  await userEvent.keyboard("{Enter}");
  expect([...editor.getState().selection]).toEqual(["b"]);
});

test("filters the history by the selected node, with an empty state", async () => {
  const { editor } = open(3);
  await history();
  const toggle = screen.getByRole("button", { name: "Selected node only" });
  expect(toggle).toBeDisabled();
  editor.getState().select(["b"]);
  await waitFor(() => expect(toggle).toBeEnabled());
  await userEvent.click(toggle);
  await waitFor(() => expect(lines()).toHaveLength(2));
  expect(screen.getByText("2 of 3 events")).toBeVisible();

  editor.getState().select(["c"]);
  await screen.findByText("No events for this node");
  await userEvent.click(screen.getByRole("button", { name: "Show the whole run" }));
  await waitFor(() => expect(lines()).toHaveLength(3));
});

test("a load error is shown, and Try again recovers", async () => {
  let broken = true;
  open(3, () => {
    if (broken) throw new Error("The disk is gone.");
    return undefined as never;
  });
  await history();
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("Couldn't load the history");
  expect(alert).toHaveTextContent("The disk is gone.");
  broken = false;
  await userEvent.click(within(alert).getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("'b' started.")).toBeVisible();
});

test("10,000 events render one screen and load only the last page", async () => {
  const { call } = open(10_000);
  await history();
  await screen.findByText("Event 10000.");
  expect(screen.getAllByRole("row").length).toBeLessThan(60);
  expect(call.mock.calls.filter(([name]) => name === "run_history")).toHaveLength(1);
});

test("without a run, the history explains how to start one", async () => {
  openBlueprint(<Drawer />, { view: viewOf(plan) });
  await history();
  expect(screen.getByText(/No run is shown/)).toBeVisible();
});

test("the timeline of a command is its output", async () => {
  const output = new FakeOutput(30);
  const { call, page, editor } = open(3);
  const attempt = {
    ...{ attempt: 1, session: "s-a", agent: null, startedAt: 0, endedAt: 1, artifact: null },
    outcome: { kind: "succeeded" },
    sentence: "done",
    times: { workedMs: 1, waitedMs: 0, elapsedMs: 1, workingSince: null },
    usage: {},
  };
  call.mockImplementation(async (name, input) => {
    if (name === "node_attempts") return [attempt];
    return name === "output_window" ? output.window(input as OutputWindow) : [];
  });
  page.setState({ drawerTab: "timeline" });
  act(() => editor.getState().select(["a"]));
  expect(await screen.findByRole("region", { name: "Output" })).toBeVisible();
  expect(await screen.findByText("row 0")).toBeVisible();
});
