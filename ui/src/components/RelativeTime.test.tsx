import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Duration } from "./Duration";
import { RelativeTime } from "./RelativeTime";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 4, 20, 12) });
});

afterEach(() => {
  vi.useRealTimers();
});

function pass(milliseconds: number) {
  act(() => vi.advanceTimersByTime(milliseconds));
}

test("recent times tick every second, older ones every minute", () => {
  render(<RelativeTime at={Date.now() - 10_000} />);
  expect(screen.getByText("10 s ago")).toBeVisible();
  pass(3_000);
  expect(screen.getByText("13 s ago")).toBeVisible();
  pass(120_000);
  expect(screen.getByText("2 min ago")).toBeVisible();
});

test("a past time is never ahead, even if the backend's clock is", () => {
  render(<RelativeTime at={Date.now() + 14_000} />);
  expect(screen.getByText("now")).toBeVisible();
});

test("a due time may be ahead", () => {
  render(<RelativeTime at={Date.now() + 14_000} mayBeFuture />);
  expect(screen.getByText("in 14 s")).toBeVisible();
});

test("a running duration ticks, and its timer stops on unmount", () => {
  const { unmount } = render(<Duration since={Date.now() - 61_000} />);
  expect(screen.getByText("1m 01s")).toBeVisible();
  pass(2_000);
  expect(screen.getByText("1m 03s")).toBeVisible();
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
