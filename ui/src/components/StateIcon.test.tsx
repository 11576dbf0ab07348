import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { type NodeStateAppearance, nodeStateLabel, nodeStates } from "./nodeState";
import { StateIcon } from "./StateIcon";
import { StateLabel } from "./StateLabel";

const looks: NodeStateAppearance[] = [
  ...nodeStates.map((state) => ({ state })),
  { state: "waiting", waitingFor: "time" },
  { state: "done", unverified: true },
  { state: "done", stale: true },
  { state: "skipped", failedAndSkipped: true },
];

test("every state has its own shape", () => {
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
  // Only done nodes can be unverified.
  [{ state: "running", unverified: true }, "Running"],
  [{ state: "failed", stale: true }, "Failed, stale"],
  [{ state: "skipped", failedAndSkipped: true }, "Failed, skipped"],
] as [NodeStateAppearance, string][])("%j has the label %s", (look, word) => {
  expect(nodeStateLabel(look)).toBe(word);
});

test("a label announces its state once", () => {
  render(<StateLabel state="failed" />);
  expect(screen.getByText("Failed")).toBeVisible();
  expect(screen.queryByRole("img")).toBeNull();
});

test("a skipped failure keeps the failure color", () => {
  render(<StateLabel state="skipped" failedAndSkipped />);
  expect(screen.getByText("Failed, skipped")).toHaveClass("text-state-failed");
});
