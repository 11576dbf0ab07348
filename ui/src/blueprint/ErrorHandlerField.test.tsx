import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { summaryOf } from "@/plan/planSummaryFixture";
import { ErrorHandlerField } from "./ErrorHandlerField";

const plain = planOf(["a"], []);
const plans = [
  summaryOf(plain.id, { title: "Nightly" }),
  summaryOf("p2", { title: "Clean up" }),
  summaryOf("p3", { title: "Notify" }),
];

function open(onFailure: string | null, approvedVersion: number | null = 1) {
  const plan = { ...plain, settings: { ...plain.settings, onFailure } };
  const handler = viewOf(planOf(["wipe"], []), { approvedVersion });
  return openBlueprint(<ErrorHandlerField />, {
    view: viewOf(plan),
    answers: { plans_list: plans, plan_get: handler },
  });
}

test("another blueprint is chosen by typing, removed, and each change can be undone", async () => {
  const { editor } = open(null);
  const chosen = () => editor.getState().plan.settings.onFailure;
  await userEvent.click(await screen.findByRole("combobox", { name: "When a run fails, run" }));
  expect(screen.queryByRole("option", { name: /Nightly/ })).toBeNull();
  await userEvent.click(await screen.findByRole("option", { name: /Clean up/ }));
  expect(chosen()).toBe("p2");
  expect(await screen.findByRole("link", { name: "Open error handler" })).toHaveAttribute(
    "href",
    "/blueprints/p2",
  );
  await userEvent.click(screen.getByRole("button", { name: "Remove error handler" }));
  expect(chosen()).toBeNull();
  editor.getState().undo();
  expect(chosen()).toBe("p2");
});

test("an unapproved blueprint shows a warning", async () => {
  open("Clean up", null);
  expect(await screen.findByText(/isn't approved, so it won't run/)).toBeVisible();
});

test.each([
  ["Nobody", /There is no blueprint named “Nobody”/],
  [plain.id, /can't handle its own failures/],
])("%s is an error", async (name, error) => {
  open(name);
  expect(await screen.findByText(error)).toBeVisible();
});
