import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderSettings } from "./renderSettings";

test("terminals over HTTP are off until a person turns them on", async () => {
  const { saved } = renderSettings();
  const setting = await screen.findByRole("switch", { name: "Terminals over HTTP" });
  expect(setting).not.toBeChecked();
  await userEvent.click(setting);
  await waitFor(() => expect(saved().terminalOverHttp).toBe(true));
  await waitFor(() => expect(setting).toBeChecked());
});
