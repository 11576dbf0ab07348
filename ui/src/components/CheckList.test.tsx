import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Check } from "@/api/bindings";
import { CheckList } from "./CheckList";

const check = (facts: Partial<Check>): Check => ({
  verdict: "passed",
  sentence: "the directory exists",
  mend: null,
  node: null,
  ...facts,
});

test("a check shows its verdict and fix, and links to its node", async () => {
  const show = vi.fn();
  const checks = [
    check({}),
    check({ verdict: "failed", sentence: "no agent", mend: "choose one", node: "n" }),
  ];
  render(<CheckList checks={checks} onShowNode={show} />);
  const [passed, failed] = screen.getAllByRole("listitem");
  expect(within(passed as HTMLElement).getByLabelText("Passed")).toBeVisible();
  expect(within(passed as HTMLElement).queryByRole("button"), "it has no node").toBeNull();
  expect(failed).toHaveTextContent("No agent.Choose one.");
  await userEvent.click(screen.getByRole("button", { name: "Show node" }));
  expect(show).toHaveBeenCalledWith("n");
});

test("renders no node button without a handler, and reports an empty list", () => {
  const { rerender } = render(<CheckList checks={[check({ node: "n" })]} />);
  expect(screen.queryByRole("button")).toBeNull();
  rerender(<CheckList checks={[]} />);
  expect(screen.getByText("No problems found.")).toBeVisible();
});
