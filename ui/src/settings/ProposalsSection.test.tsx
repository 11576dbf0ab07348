import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Settings } from "@/api/bindings";
import { openWindow } from "@/app/fakeBackend";

test("how long proposals wait is a number of days, and what is none is not saved", async () => {
  let settings: Settings = {
    theme: "dark",
    defaultAgent: "claude",
    takeoverAllowed: true,
    guardedTools: [],
    proposalDays: { automatic: 7, asked: 30 },
  };
  const { asked } = openWindow("/settings", {
    settings_get: () => settings,
    settings_save: (next) => {
      settings = next;
      return next;
    },
    agents_list: () => [],
  });
  const field = await screen.findByLabelText("Days for what Baton asked for by itself");
  await waitFor(() => expect(field).toHaveValue("7"));
  await userEvent.clear(field);
  await userEvent.type(field, "0");
  expect(await screen.findByText("A whole number from 1 to 3,650.")).toBeVisible();
  expect(asked("settings_save"), "nothing can be decided in no days").toEqual([]);
  await userEvent.clear(field);
  await userEvent.type(field, "9");
  await waitFor(() => expect(settings.proposalDays).toEqual({ automatic: 9, asked: 30 }));
});
