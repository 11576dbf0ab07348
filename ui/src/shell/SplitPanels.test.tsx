import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { SplitPanels } from "./SplitPanels";

function panels(orientation: "horizontal" | "vertical", side: string | undefined) {
  return <SplitPanels id="test" label="Resize" main="Graph" {...{ orientation, side }} />;
}

test.each([
  ["horizontal", "animate-arrive"],
  ["vertical", "animate-arrive-up"],
] as const)("an opened %s panel arrives; one that was open with the page doesn't", (way, moves) => {
  const { rerender } = render(panels(way, "Fields"));
  expect(screen.getByText("Fields")).not.toHaveClass(moves);

  rerender(panels(way, undefined));
  rerender(panels(way, "Fields"));
  expect(screen.getByText("Fields")).toHaveClass(moves);
});
