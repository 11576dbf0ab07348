import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { ImportablePlan, PlanImportPreview } from "@/api/bindings";
import { planOf, viewOf } from "@/plan/planFixture";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { ImportFolder } from "./ImportFolder";

const tag = (name: string, warnings: string[]): ImportablePlan => ({
  name,
  title: name,
  fate: "new",
  nodes: 2,
  inferred: name === "search" ? 1 : 0,
  warnings,
});
const seen: PlanImportPreview = {
  plan: planOf([], []),
  fate: "new",
  warnings: [],
  subPlans: 0,
  format: "task_master",
  plans: [tag("master", ["1 task is done"]), tag("search", [])],
};

test("previews a folder and imports the chosen plans", async () => {
  const { asked } = renderWithBackend(<ImportFolder />, {
    plan_look: () => seen,
    plan_bring: () => ({ plan: viewOf(planOf([], [])), warnings: [], subPlans: [] }),
  });
  await userEvent.type(screen.getByLabelText("Folder with a task list"), "/home/anna/shop");
  await userEvent.click(screen.getByRole("button", { name: "Preview" }));
  expect(await screen.findByText("1 task is done")).toBeVisible();
  expect(screen.getByText("2 nodes, 1 inferred edge, new")).toBeVisible();
  await userEvent.click(screen.getByRole("checkbox", { name: /^master/ }));
  await userEvent.click(screen.getByRole("button", { name: "Import blueprint" }));
  const input = { fileName: "/home/anna/shop", text: "", cwd: null, folder: true };
  await waitFor(() => expect(asked("plan_bring")).toEqual([{ ...input, plans: ["search"] }]));
  expect(asked("plan_look")).toEqual([input]);
});

test("lists the faults of a folder", async () => {
  renderWithBackend(<ImportFolder />, {
    plan_look: () => {
      throw new ApiError("invalid", "no", { faults: ["tasks.json:3:1: task 1 has no title"] });
    },
  });
  await userEvent.type(screen.getByLabelText("Folder with a task list"), "/x{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent("tasks.json:3:1");
});

test("shows nodes and marks inferred edges before anything is imported", async () => {
  const plan = planOf(["a", "b", "c"], ["a>b", "b>c"]);
  const edges = plan.edges.map((edge, at) => ({ ...edge, inferred: at === 1 }));
  const { asked } = renderWithBackend(<ImportFolder />, {
    plan_look: () => ({ ...seen, plan: { ...plan, edges } }),
  });
  await userEvent.type(screen.getByLabelText("Folder with a task list"), "/shop{Enter}");
  await userEvent.click(await screen.findByText(/^3 nodes of/));
  const waits = screen.getAllByRole("list", { name: "Waits for" });
  expect(waits.map(({ textContent }) => textContent)).toEqual([
    "",
    "after Title of a",
    "inferred: after Title of b",
  ]);
  expect(screen.getByText("inferred: after Title of b")).toHaveClass("border-dashed");
  expect(asked("plan_bring")).toEqual([]);
});
