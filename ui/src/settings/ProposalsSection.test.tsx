import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderSettings } from "./renderSettings";

test("proposal expiry is a number of days, and invalid values are not saved", async () => {
  const { asked, saved } = renderSettings();
  const field = await screen.findByLabelText("Days until automatic proposals expire");
  await waitFor(() => expect(field).toHaveValue("7"));
  await userEvent.clear(field);
  await userEvent.type(field, "0");
  expect(await screen.findByText("Enter a whole number from 1 to 3,650.")).toBeVisible();
  expect(asked("settings_save"), "0 is not a valid number of days").toEqual([]);
  await userEvent.clear(field);
  await userEvent.type(field, "9");
  await waitFor(() => expect(saved().proposalDays).toEqual({ automatic: 9, asked: 30 }));
});
