import { act, fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { BlueprintBody } from "./BlueprintBody";

const drawn = vi.hoisted(() => ({ settings: vi.fn(), graph: vi.fn() }));
vi.mock("./PlanPanel", () => ({
  PlanPanel: () => drawn.settings() ?? <p>Blueprint settings</p>,
}));
vi.mock("@/graph/Canvas", () => ({ Canvas: () => drawn.graph() ?? null }));

beforeEach(() => {
  vi.clearAllMocks();
});

test("run events rerender only what shows the run", async () => {
  const plan = planOf(["a", "b"], ["a>b"]);
  const at = (a: "running" | "done") =>
    runOf(plan, { a: a === "done" ? { state: a, byHand: false } : { state: a } });
  const runs = { running: at("running"), done: at("done") };
  const { editor } = openBlueprint(<BlueprintBody />, {
    view: viewOf(plan),
    run: runs.running,
    answers: { run_progress: runs.running, plan_version_get: plan },
  });
  await screen.findByText("Blueprint settings");
  expect(screen.getByRole("group", { name: /running/ })).toBeInTheDocument();
  const before = [drawn.settings.mock.calls.length, drawn.graph.mock.calls.length];

  act(() => editor.getState().showRun("run", runs.done));

  expect(screen.getByRole("group", { name: /^1 of 2/ })).toBeInTheDocument();
  expect([drawn.settings.mock.calls.length, drawn.graph.mock.calls.length]).toEqual(before);
});

test.each(["list", "times"] as const)("the %s shows the edge that is being drawn", (view) => {
  const { editor, edit, page } = openBlueprint(<BlueprintBody />, {
    view: viewOf(planOf(["a", "b"], [])),
  });
  act(() => {
    page.setState({ view });
    editor.getState().select(["a"]);
    edit.startLink();
    editor.getState().select(["b"]);
  });
  fireEvent.click(screen.getByRole("button", { name: /^Connect/ }));
  expect(editor.getState().plan.edges).toEqual([{ parent: "a", child: "b", soft: false }]);
  expect(screen.queryByRole("button", { name: /^Connect/ })).toBeNull();
});
