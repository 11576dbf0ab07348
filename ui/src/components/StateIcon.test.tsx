import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { type NodeStateLook, nodeStates, nodeStateWord } from "./nodeState";
import { StateIcon } from "./StateIcon";
import { StateLabel } from "./StateLabel";

const looks: NodeStateLook[] = [
  ...nodeStates.map((state) => ({ state })),
  { state: "waiting", waitingFor: "time" },
  { state: "done", unverified: true },
  { state: "done", stale: true },
  { state: "skipped", failedAndSkipped: true },
];

test("no two states share a shape, so that color is never alone", () => {
  const shapes = looks.map((look) => {
    const { container, unmount } = render(<StateIcon {...look} />);
    const shape = container.querySelector("svg")?.innerHTML;
    unmount();
    return shape;
  });
  expect(new Set(shapes).size).toBe(looks.length);
});

test.each([
  [{ state: "waiting" }, "Waiting for you"],
  [{ state: "waiting", waitingFor: "time" }, "Waiting"],
  [{ state: "done", unverified: true, stale: true }, "Done, unverified, stale"],
  [{ state: "done", notChecked: true }, "Done, not checked"],
  [{ state: "done", notChecked: true, unverified: true }, "Done, unverified"],
  // Only what is done can lack a check.
  [{ state: "running", unverified: true }, "Running"],
  [{ state: "failed", stale: true }, "Failed, stale"],
  [{ state: "skipped", failedAndSkipped: true }, "Failed, skipped"],
] as [NodeStateLook, string][])("%j is called %s", (look, word) => {
  expect(nodeStateWord(look)).toBe(word);
});

test("a label says its state once to screen readers", () => {
  render(<StateLabel state="failed" />);
  expect(screen.getByText("Failed")).toBeVisible();
  expect(screen.queryByRole("img")).toBeNull();
});

test("a failure that the run went on without keeps the hue of a failure", () => {
  render(<StateLabel state="skipped" failedAndSkipped />);
  expect(screen.getByText("Failed, skipped")).toHaveClass("text-state-failed");
});
