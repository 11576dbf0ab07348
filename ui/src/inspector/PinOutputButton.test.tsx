import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import { planOf, runOf } from "@/plan/planFixture";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { PinOutputButton } from "./PinOutputButton";

const run = runOf(planOf(["a"], []), { a: { state: "done", byHand: false } });
const press = () => userEvent.click(screen.getByRole("button", { name: "Pin this output" }));

test("the handoff of the shown run is pinned, and the button says so", async () => {
  const pins = { outputs: [], runs: [], leftOut: [], reads: [] };
  const { asked } = renderWithBackend(<PinOutputButton run={run} node="a" />, {
    node_output_pin: () => pins,
  });
  await press();
  await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("Pinned"));
  expect(asked("node_output_pin")).toEqual([{ plan: "plan", node: "a", run: "run", text: null }]);
});

test("a refusal is shown", async () => {
  renderWithBackend(<PinOutputButton run={run} node="a" />, {
    node_output_pin: () => {
      throw new ApiError("bad_input", "The output is too long.", { fix: "Shorten the text." });
    },
  });
  await press();
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "The output is too long. Shorten the text.",
  );
});
