import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderSettings } from "./renderSettings";

test("the rule is saved on Enter, and an invalid number is not", async () => {
  const { asked, saved } = renderSettings();
  const field = await screen.findByLabelText("Newest runs to keep");
  expect(screen.getByText(/^Keeps all runs\./)).toBeVisible();
  await userEvent.type(field, "0{Enter}");
  expect(await screen.findByText("Enter a whole number from 1 to 100,000.")).toBeVisible();
  expect(asked("settings_save")).toEqual([]);
  await userEvent.clear(field);
  await userEvent.type(field, "50{Enter}");
  const rule = { keepLast: 50, keepDays: null, archiveAfterDays: null };
  await waitFor(() => expect(saved().retention).toEqual(rule));
  expect(await screen.findByText(/^Keeps the newest 50 runs\./)).toBeVisible();
});
