import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ProgressSegments } from "./ProgressSegments";

test("a skipped failure has the failure color and label", () => {
  render(<ProgressSegments states={["failed_skipped", "skipped", "done"]} />);
  const bar = screen.getByRole("img", { name: "3 of 3 finished, 1 failure skipped" });
  const [tolerated, skipped, done] = bar.children;
  expect(tolerated).toHaveClass("bg-state-failed");
  expect(tolerated).not.toHaveClass("opacity-30");
  expect(skipped).toHaveClass("bg-state-skipped", "opacity-30");
  expect(done).toHaveClass("bg-state-done");
});
