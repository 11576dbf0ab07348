import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { runSummaryOf, summaryOf } from "@/plan/planSummaryFixture";
import { RunProgress } from "./RunProgress";

test("a large plan shows full counts with a condensed bar", () => {
  const lastRun = runSummaryOf("p", { progress: ["done", "failed", "pending"] });
  const tally = { settled: 700, total: 1_000 };
  render(<RunProgress plan={summaryOf("p", { lastRun, tally })} />);
  expect(screen.getByText("700/1,000")).toBeDefined();
  expect(screen.getByRole("img", { name: "700 of 1,000 finished" })).toBeDefined();
});

test("the counts of a finished large plan stay on one line", () => {
  const lastRun = runSummaryOf("p", { progress: ["done"] });
  render(
    <RunProgress plan={summaryOf("p", { lastRun, tally: { settled: 2_000, total: 2_000 } })} />,
  );
  expect(screen.getByText("2,000/2,000")).toHaveClass("whitespace-nowrap", "shrink-0");
});

test("a small plan describes its bar in text", () => {
  const lastRun = runSummaryOf("p", { progress: ["done", "failed"] });
  render(<RunProgress plan={summaryOf("p", { lastRun, tally: { settled: 1, total: 2 } })} />);
  expect(screen.getByRole("img", { name: "1 of 2 finished, 1 failed" })).toBeDefined();
});

test("skipped failures are shown with a condensed bar too", () => {
  const progress = ["done", "failed_skipped"] as const;
  const lastRun = runSummaryOf("p", { progress: [...progress], skippedFailures: 1 });
  const of = (total: number) => summaryOf("p", { lastRun, tally: { settled: total, total } });
  const { rerender } = render(<RunProgress plan={of(2)} />);
  expect(screen.getByRole("img", { name: "2 of 2 finished, 1 failure skipped" })).toBeDefined();
  rerender(<RunProgress plan={of(700)} />);
  expect(screen.getByRole("img", { name: "700 of 700 finished, 1 failure skipped" })).toBeDefined();
});

test("a segment opens the blueprint at its state, without opening the row", async () => {
  const onOpen = vi.fn();
  const onRow = vi.fn();
  const lastRun = runSummaryOf("p", { progress: ["done", "failed"] });
  render(
    // biome-ignore lint/a11y/noStaticElementInteractions: stands for the row
    // biome-ignore lint/a11y/useKeyWithClickEvents: stands for the row
    <div onClick={onRow}>
      <RunProgress plan={summaryOf("p", { lastRun })} onOpen={onOpen} />
    </div>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Show 1 failed node" }));
  expect(onOpen).toHaveBeenCalledWith("failed");
  expect(onRow).not.toHaveBeenCalled();
});
