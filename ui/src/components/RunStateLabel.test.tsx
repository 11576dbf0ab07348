import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { RunStateLabel } from "./RunStateLabel";

test("a detail that has no room is cut with an ellipsis and read on hover", () => {
  render(<RunStateLabel state="completed" detail="Completed, 1 failure skipped" pill={false} />);
  const words = screen.getByText("Completed, 1 failure skipped");
  expect(words).toHaveClass("truncate");
  expect(screen.getByTitle("Completed, 1 failure skipped")).toContainElement(words);
});
