import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { disabledReason } from "@/commands/commandRegistry";
import { useToasts } from "@/components/toasts";
import { nodeActionRefusal } from "@/plan/nodeActions";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { courseViewOf, done, running } from "@/run/stateHistoryFixture";
import { RunPlayback } from "./RunPlayback";

const plan = planOf(["a", "b"], ["a>b"]);
const stateHistory = courseViewOf(
  ["a", "b"],
  [
    [0, {}],
    [1_000, { a: running }],
    [2_000, { a: done }],
    [3_000, { b: running }],
  ],
);

function open() {
  const old = { ...plan, title: "As it was", nodes: plan.nodes.slice() };
  const run = { ...runOf(old, { a: done, b: running }), seq: 4 };
  const opened = openBlueprint(<RunPlayback />, {
    view: viewOf(plan),
    run,
    answers: { run_course: stateHistory },
  });
  opened.page.setState({ playbackOpen: true });
  const states = () => opened.editor.getState().run?.nodes.map(({ state }) => state.state);
  return { ...opened, states };
}

const slider = () => screen.findByRole("slider", { name: "Replay position" });

test("keys move from event to event, and everything shows the run at that moment", async () => {
  const { editor, states } = open();
  const line = await slider();
  expect(line).toHaveAttribute("aria-valuenow", "4");
  expect(editor.getState().plan.title, "the version that the run executes").toBe("As it was");
  line.focus();
  await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
  expect(states()).toEqual(["running", "pending"]);
  expect(line).toHaveAttribute("aria-valuetext", expect.stringContaining("1.0 s after the start"));
  await userEvent.keyboard("{Home}");
  expect(states()).toEqual(["pending", "pending"]);
  await userEvent.keyboard("{End}");
  expect(states()).toEqual(["done", "running"]);
});

test("nothing can be changed during a replay, and attempts show the reason", async () => {
  const { editor } = open();
  await slider();
  editor.getState().edit("Rename node", (before) => ({ ...before, title: "New" }));
  expect(editor.getState().plan.title).toBe("As it was");
  expect(useToasts.getState().toasts.at(-1)?.title).toBe("Nothing was changed");
  expect(disabledReason("delete")).toMatch(/earlier moment/);
  const { run, plan: shown } = editor.getState();
  const [node] = shown.nodes;
  expect(
    node && nodeActionRefusal("rerun", { node, review: "approved", run, nodeRun: run?.nodes[0] }),
  ).toMatch(/earlier moment/);
});

test("back to now shows the working copy and the current state of the run", async () => {
  const { editor, states } = open();
  const line = await slider();
  line.focus();
  await userEvent.keyboard("{Home}");
  const { liveRun } = editor.getState();
  if (liveRun) {
    const ended = { ...liveRun, seq: 5, nodes: runOf(liveRun.plan, { a: done, b: done }).nodes };
    editor.getState().showRun(liveRun.summary.id, ended);
  }
  expect(states(), "the past moment stays visible").toEqual(["pending", "pending"]);
  await userEvent.click(screen.getByRole("button", { name: /Back to now/ }));
  await waitFor(() => expect(screen.queryByRole("slider")).toBeNull());
  expect(states()).toEqual(["done", "done"]);
  expect(editor.getState().plan).toBe(plan);
});

test("playing goes through the whole run and stops at its end", async () => {
  const { states } = open();
  const line = await slider();
  line.focus();
  await userEvent.keyboard("{Home}");
  const frames: FrameRequestCallback[] = [];
  vi.spyOn(window, "requestAnimationFrame").mockImplementation((frame) => frames.push(frame));
  await userEvent.keyboard(" ");
  for (const time of [0, 1_500, 9_000]) {
    const frame = frames.shift();
    await waitFor(() => frame?.(time));
  }
  await waitFor(() => expect(states()).toEqual(["done", "running"]));
  expect(await screen.findByRole("button", { name: "Play the run" })).toBeVisible();
  vi.restoreAllMocks();
});
