import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderSettings } from "./renderSettings";

test("run defaults are saved one at a time", async () => {
  const { saved } = renderSettings({
    runDefaults: {
      autonomy: 1,
      concurrency: 4,
      timeoutMs: null,
      agentTimeoutMs: 3_600_000,
      commandTimeoutMs: null,
    },
  });
  const section = within(await screen.findByRole("region", { name: "Run defaults" }));
  const agents = section.getByLabelText("Agent timeout");
  await waitFor(() => expect(agents).toHaveValue("1h 00m"));
  await userEvent.clear(agents);
  await userEvent.tab();
  await waitFor(() => expect(saved().runDefaults?.agentTimeoutMs).toBeNull());
  expect(agents).toHaveAttribute("placeholder", "30m 00s");

  const nodes = section.getByLabelText("Max parallel nodes");
  await userEvent.clear(nodes);
  await userEvent.type(nodes, "0");
  expect(nodes).toBeInvalid();
  await userEvent.clear(nodes);
  await userEvent.type(nodes, "8");
  await waitFor(() => expect(saved().runDefaults?.concurrency).toBe(8));

  await userEvent.click(section.getByRole("combobox", { name: "Autonomy level" }));
  await userEvent.click(screen.getByRole("option", { name: "0 · Ask for everything" }));
  await waitFor(() => expect(saved().runDefaults?.autonomy).toBe(0));
  await userEvent.type(section.getByLabelText("Run time limit"), "2h{Enter}");
  await waitFor(() =>
    expect(saved().runDefaults).toEqual({
      autonomy: 0,
      concurrency: 8,
      timeoutMs: 7_200_000,
      agentTimeoutMs: null,
      commandTimeoutMs: null,
    }),
  );
});
