import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, test } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { Outline } from "./Outline";

// jsdom has no layout, and the list renders only visible rows.
beforeAll(() => {
  Object.defineProperty(HTMLElement.prototype, "clientHeight", { value: 600, configurable: true });
  Object.defineProperty(HTMLElement.prototype, "clientWidth", { value: 900, configurable: true });
});

const plan = planOf(["a", "b", "c"], ["a>b"]);
const order = (of: typeof plan) => of.nodes.map((node) => node.id).join("");
const row = (name: RegExp) => screen.getByRole("option", { name });

test("rows show title, kind and state", () => {
  const run = runOf(plan, { a: { state: "done", byHand: false } });
  openBlueprint(<Outline />, { view: viewOf(plan), run });
  expect(row(/Title of a, command, Done/)).toBeVisible();
  expect(row(/Title of b/), "its parent").toHaveTextContent("Title of a");
});

test("rows show the measured worked time, and none for a node that nothing was started for", () => {
  const run = runOf(plan, {
    a: { state: "done", byHand: false },
    b: { state: "done", byHand: true },
    c: { state: "failed", failure: { reason: "exit_code", code: 1 } },
  });
  const [a, b, c] = run.nodes;
  const times = { workedMs: 46, waitedMs: 0, elapsedMs: 62, workingSince: null };
  if (a) Object.assign(a, { startedAt: 1_000, endedAt: 1_062, times });
  if (b) Object.assign(b, { startedAt: 1_000, endedAt: 42_000 });
  if (c) c.times = { ...times, workedMs: null };
  openBlueprint(<Outline />, { view: viewOf(plan), run });
  expect(row(/Title of a/)).toHaveTextContent("46 ms");
  expect(row(/Title of b/)).toHaveTextContent("–");
  expect(row(/Title of b/)).not.toHaveTextContent("41 s");
  expect(row(/Title of c/)).toHaveTextContent("unknown");
});

test("Alt and an arrow key move the selected row, and undo moves it back", async () => {
  const { editor } = openBlueprint(<Outline />, { view: viewOf(plan) });
  await userEvent.click(row(/Title of b/));
  await userEvent.keyboard("{Alt>}{ArrowDown}{/Alt}");
  expect(order(editor.getState().plan)).toBe("acb");
  await userEvent.keyboard("{Alt>}{ArrowDown}{/Alt}");
  expect(order(editor.getState().plan), "the last row stays the last").toBe("acb");
  editor.getState().undo();
  expect(editor.getState().plan).toBe(plan);
});

test("Shift selects a range and Ctrl adds one row", async () => {
  const { editor } = openBlueprint(<Outline />, { view: viewOf(plan) });
  const user = userEvent.setup();
  await user.click(row(/Title of a/));
  await user.keyboard("{Shift>}");
  await user.click(row(/Title of c/));
  await user.keyboard("{/Shift}{Control>}");
  await user.click(row(/Title of b/));
  await user.keyboard("{/Control}");
  expect([...editor.getState().selection]).toEqual(["a", "c"]);
});

test("a double-click renames in place", async () => {
  const { editor } = openBlueprint(<Outline />, { view: viewOf(plan) });
  await userEvent.dblClick(screen.getByText("Title of c"));
  await userEvent.keyboard("New name{Enter}");
  expect(editor.getState().plan.nodes[2]?.title).toBe("New name");
  await userEvent.dblClick(screen.getByText("New name"));
  await userEvent.keyboard("Not this{Escape}");
  expect(editor.getState().plan.nodes[2]?.title).toBe("New name");
});

test("an empty plan shows how to start", () => {
  openBlueprint(<Outline />, { view: viewOf(planOf([], [])) });
  expect(screen.getByRole("heading", { name: "No nodes yet" })).toBeVisible();
});

test("a running node is flagged as quiet only after a long silence", () => {
  const run = runOf(plan, { a: { state: "running" }, b: { state: "running" } });
  const [a, b] = run.nodes;
  if (a) a.quietSince = Date.now() - 12 * 60_000;
  if (b) b.quietSince = Date.now() - 60_000;
  openBlueprint(<Outline />, { view: viewOf(plan), run });
  expect(row(/Title of a, command, Running, quiet for 12 min/)).toHaveTextContent(
    "quiet for 12 min",
  );
  const second = row(/Title of b, command, Running/);
  expect(second).toHaveTextContent("Running");
  expect(second, "one minute is not long enough").not.toHaveTextContent("quiet");
  expect(second).not.toHaveAccessibleName(/quiet/);
});

test("Shift and an arrow key select a range, and after Delete the next row has the focus", async () => {
  const { editor, edit } = openBlueprint(<Outline />, { view: viewOf(plan) });
  row(/Title of a/).focus();
  await userEvent.keyboard("{Shift>}{ArrowDown}{/Shift}");
  expect([...editor.getState().selection]).toEqual(["a", "b"]);
  await waitFor(() => expect(row(/Title of b/)).toHaveFocus());
  act(() => edit.remove());
  await waitFor(() => expect(row(/Title of c/)).toHaveFocus());
});

test("Ctrl and an arrow key move the focus and keep the selection", async () => {
  const { editor } = openBlueprint(<Outline />, { view: viewOf(plan) });
  await userEvent.click(row(/Title of a/));
  row(/Title of a/).focus();
  await userEvent.keyboard("{Control>}{ArrowDown}{ArrowDown}{/Control}");
  await waitFor(() => expect(row(/Title of c/)).toHaveFocus());
  expect([...editor.getState().selection]).toEqual(["a"]);
});
