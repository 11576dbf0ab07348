import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderSettings } from "./renderSettings";

test("an agent limit can be changed and removed", async () => {
  const { saved } = renderSettings({ agentConcurrency: { claude: 2 } });
  const field = await screen.findByLabelText("Max parallel sessions of claude");
  await waitFor(() => expect(field).toHaveValue("2"));
  await userEvent.clear(field);
  await userEvent.type(field, "3{Enter}");
  await waitFor(() => expect(saved().agentConcurrency).toEqual({ claude: 3 }));
  await userEvent.click(screen.getByRole("button", { name: "Remove limit for claude" }));
  await waitFor(() => expect(saved().agentConcurrency).toEqual({}));
});
