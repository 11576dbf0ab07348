import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Plan, PlanDiff } from "@/api/bindings";
import { planOf } from "@/plan/planFixture";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { VersionDiff } from "./Comparison";

// React Flow renders slowly in jsdom on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const none: PlanDiff = {
  nodesAdded: [],
  nodesRemoved: [],
  nodesChanged: [],
  edgesAdded: [],
  edgesRemoved: [],
  groupsChanged: false,
  planChanged: false,
};

function show(earlier: Plan, later: Plan, diff: PlanDiff) {
  renderWithBackend(<VersionDiff earlier={earlier} later={later} diff={diff} />, {});
}

test("keys move between changes, and a changed node shows its fields", async () => {
  const earlier = planOf(["a", "b"], ["a>b"]);
  const nodes = planOf(["a", "c"], []).nodes.map((node) =>
    node.id === "a" ? { ...node, description: "<b>bold</b>" } : node,
  );
  const diff = { ...none, nodesAdded: ["c"], nodesRemoved: ["b"], nodesChanged: ["a"] };
  show(earlier, { ...earlier, nodes, edges: [] }, diff);
  expect(screen.getByText("4")).toBeVisible();
  await userEvent.keyboard("n");
  expect(screen.getByText("1 of 4")).toBeVisible();
  expect(screen.getByText("<b>bold</b>"), "user text is not rendered as HTML").toBeVisible();
  await userEvent.keyboard("p");
  expect(screen.getByText("4 of 4")).toBeVisible();
  expect(screen.getByText(/edge Title of a → Title of b/).closest("button")).toHaveAttribute(
    "aria-current",
    "true",
  );
});

test("identical versions show an empty list", () => {
  const plan = planOf(["a"], []);
  show(plan, plan, none);
  expect(screen.getByText(/versions are identical/)).toBeVisible();
});
