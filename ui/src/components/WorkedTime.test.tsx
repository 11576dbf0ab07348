import { render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WorkTime } from "@/api/bindings";
import { WorkedTime } from "./WorkedTime";
import { noWorkTime, waitedText, workedDuration, workTimeTitle } from "./workTime";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const ended: WorkTime = {
  workedMs: 2_000,
  waitedMs: 14_000,
  elapsedMs: 1_005_000,
  workingSince: null,
};

test("the backend's number is shown, and the tooltip names all of them", () => {
  render(<WorkedTime times={ended} />);
  expect(screen.getByText("2.0 s")).toBeVisible();
  expect(screen.getByTitle("Worked 2.0 s · waited 14 s · elapsed 16m 45s")).toBeVisible();
});

test("a live attempt adds to the ended ones, without the pause between", () => {
  render(<WorkedTime times={{ ...ended, elapsedMs: null, workingSince: 940_000 }} />);
  expect(screen.getByText("1m 02s")).toBeVisible();
  expect(screen.getByTitle("Worked so far")).toBeVisible();
});

test("an unknown time says so instead of a wrong number", () => {
  const lost = { ...ended, workedMs: null, waitedMs: 0 };
  render(<WorkedTime times={lost} />);
  expect(screen.getByText("unknown")).toBeVisible();
  expect(workTimeTitle(lost)).toBe("Worked for an unknown time · elapsed 16m 45s");
  expect(workedDuration({ ...lost, workingSince: 940_000 })).toEqual({ milliseconds: null });
});

test("nothing is shown if nothing was started", () => {
  const { container } = render(<WorkedTime times={noWorkTime} />);
  expect(container).toBeEmptyDOMElement();
});

test("an earlier moment shows the time up to it", () => {
  const live = { ...noWorkTime, workingSince: 1_000 };
  expect(workedDuration(live, 3_500)).toEqual({ milliseconds: 2_500 });
  expect(workedDuration(live, 500)).toEqual({ milliseconds: 0 });
});

test("a short wait isn't mentioned", () => {
  expect(waitedText({ ...ended, waitedMs: 999 })).toBeUndefined();
  expect(waitedText(ended)).toBe("waited 14 s");
});
