import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Settings } from "@/api/bindings";
import { openWindow } from "@/app/fakeBackend";

test("limit of an agent over all runs is changed and removed", async () => {
  let settings: Settings = {
    theme: "dark",
    defaultAgent: "claude",
    takeoverAllowed: true,
    guardedTools: [],
    proposalDays: { automatic: 7, asked: 30 },
    agentConcurrency: { claude: 2 },
  };
  openWindow("/settings", {
    settings_get: () => settings,
    settings_save: (next) => {
      settings = next;
      return next;
    },
    agents_list: () => [],
  });
  const field = await screen.findByLabelText("Sessions of claude at once");
  await waitFor(() => expect(field).toHaveValue("2"));
  await userEvent.clear(field);
  await userEvent.type(field, "3{Enter}");
  await waitFor(() => expect(settings.agentConcurrency).toEqual({ claude: 3 }));
  await userEvent.click(screen.getByRole("button", { name: "Remove the limit of claude" }));
  await waitFor(() => expect(settings.agentConcurrency).toEqual({}));
});
