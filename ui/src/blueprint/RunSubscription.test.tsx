import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { RunSubscription } from "./RunSubscription";

test("a load error is shown, and Try again recovers", async () => {
  const plan = planOf(["a"], []);
  const run = runOf(plan, { a: { state: "running" } });
  const { call, editor } = openBlueprint(<RunSubscription />, { view: viewOf(plan) });
  let broken = true;
  call.mockImplementation(async (name) => {
    if (broken) throw new ApiError("store", "the record of the run is damaged");
    return name === "run_progress" ? run : plan;
  });
  act(() => editor.getState().showRun("run"));
  await screen.findByText(/The record of the run is damaged\./);

  broken = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(editor.getState().run?.summary.id).toBe("run"));
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});
