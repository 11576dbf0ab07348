import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { RetentionSettings } from "./RetentionSettings";

const rule = { keepLast: 20, keepDays: null, archiveAfterDays: null };

test("a blueprint starts its own rule with that of the settings", async () => {
  const view = viewOf(planOf(["a"], []));
  const { call } = openBlueprint(<RetentionSettings />, {
    view,
    answers: {
      settings_get: { retention: rule },
      plan_retention_save: { ...view, retention: rule },
    },
  });
  expect(await screen.findByText("Default from Settings: Keeps the newest 20 runs.")).toBeVisible();
  await userEvent.click(screen.getByRole("switch", { name: "Own rule for keeping runs" }));
  expect(call).toHaveBeenCalledWith("plan_retention_save", { plan: "plan", retention: rule });
  expect(await screen.findByLabelText("Newest runs to keep")).toHaveValue("20");
});
