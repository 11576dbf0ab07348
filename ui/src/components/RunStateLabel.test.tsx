import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { RunStateLabel } from "./RunStateLabel";

test("a long detail is truncated with the full text on hover", () => {
  render(<RunStateLabel state="completed" detail="Completed, 1 failure skipped" pill={false} />);
  const words = screen.getByText("Completed, 1 failure skipped");
  expect(words).toHaveClass("truncate");
  expect(screen.getByTitle("Completed, 1 failure skipped")).toContainElement(words);
});
