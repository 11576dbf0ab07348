import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { asks, courseViewOf, done, failed, retries, running } from "@/run/stateHistoryFixture";
import { GanttView } from "./GanttView";

beforeEach(() => {
  vi.restoreAllMocks();
  // jsdom has no layout, so give the list a height.
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(900);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(400);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(900);
});

const plan = planOf(["a", "b", "c"], ["a>b"]);
const stateHistory = courseViewOf(
  ["a", "b", "c"],
  [
    [1_000, { c: running }],
    [2_000, { a: running }],
    [3_000, { a: retries }],
    [4_000, { a: running }],
    [5_000, { a: done, c: asks }],
    [6_000, { c: running }],
    [7_000, { c: failed }],
  ],
);
const pace = { critical: ["a"], lengthMs: 3_000, times: [], runs: 1, widest: ["a", "c"] };

function open() {
  const ended = { state: { state: "failed" as const, message: "c" }, endedAt: 7_000 };
  const run = { ...runOf(plan, { a: done, c: failed }, ended), seq: 7 };
  return openBlueprint(<GanttView />, {
    view: viewOf(plan),
    run,
    answers: { run_course: stateHistory, plan_pace: pace },
  });
}

// The first render is slow because all modules are loaded.
const listed = () => screen.findByRole("listbox", { name: "Node times" }, { timeout: 10_000 });
const rows = () => screen.getAllByRole("option").map((row) => row.getAttribute("aria-label") ?? "");

test("a row shows the measured worked time, not the length of its bars", async () => {
  const run = { ...runOf(plan, { a: done, c: failed }), seq: 7 };
  const times = { workedMs: 46, waitedMs: 0, elapsedMs: 62, workingSince: null };
  const nodes = run.nodes.map((node) => (node.node === "a" ? { ...node, times } : node));
  const answers = { run_course: stateHistory, plan_pace: pace };
  openBlueprint(<GanttView />, { view: viewOf(plan), run: { ...run, nodes }, answers });
  await listed();
  const row = screen.getByRole("option", { name: /^Title of a, .*Worked 46 ms · elapsed 62 ms$/ });
  expect(row).toHaveTextContent("46 ms");
});

test("a row describes its attempts and waits, ordered by start", async () => {
  open();
  await listed();
  const [first, second, third] = rows();
  expect(first).toMatch(/^Title of c, .*Failed, .*Attempt 1: Failed.*1\.0 s of it waiting for you/);
  expect(second).toMatch(/Attempt 1: Failed.*Until the next attempt.*Attempt 2: Done/);
  expect(third).toMatch(/^Title of b, .*not started$/);
  await screen.findByText(
    /^Peak parallelism 2 \(limit 4, possible 2\) · critical path 3\.0 s/,
    {},
    { timeout: 10_000 },
  );
});

test("rows can be shown in plan order", async () => {
  open();
  await userEvent.click(await screen.findByRole("radio", { name: "Blueprint order" }));
  expect(rows().map((label) => label.slice(0, 10))).toEqual([
    "Title of a",
    "Title of b",
    "Title of c",
  ]);
});

test("the selection is shared with other views, and arrow keys follow the row order", async () => {
  const { editor } = open();
  await userEvent.click(await screen.findByRole("option", { name: /^Title of c/ }));
  expect([...editor.getState().selection]).toEqual(["c"]);
  await userEvent.keyboard("{ArrowDown}");
  expect([...editor.getState().selection]).toEqual(["a"]);
  await userEvent.keyboard("{End}");
  expect([...editor.getState().selection]).toEqual(["b"]);
});

test("the critical path can be highlighted", async () => {
  const { page } = open();
  await listed();
  expect(rows().join()).not.toMatch(/critical/);
  await userEvent.click(screen.getByRole("button", { name: "Mark the critical path" }));
  await screen.findByRole("option", { name: /^Title of a, .*on the critical path/ });
  expect(page.getState().critical).toBe(true);
});

test("a load error is shown", async () => {
  const { call, editor } = openBlueprint(<GanttView />, { view: viewOf(plan) });
  call.mockRejectedValue(new Error("The disk is gone."));
  editor.getState().showRun("run", { ...runOf(plan, {}), seq: 3 });
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("Couldn't load the times");
  expect(alert).toHaveTextContent("The disk is gone.");
});

test("before the first run, an empty state explains the view", () => {
  openBlueprint(<GanttView />, { view: viewOf(plan) });
  expect(screen.getByRole("heading", { name: "No times yet" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Run all" })).toBeVisible();
});

test("with a thousand nodes, only visible rows are rendered", async () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `n${at}`);
  const large = planOf(names, []);
  openBlueprint(<GanttView />, {
    view: viewOf(large),
    run: { ...runOf(large, {}, { id: "large" }), seq: 1 },
    answers: { run_course: courseViewOf(names, [[0, { n0: running }]]), plan_pace: pace },
  });
  await listed();
  expect(rows().length).toBeLessThan(60);
});
