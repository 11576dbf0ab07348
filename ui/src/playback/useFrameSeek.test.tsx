import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useFrameSeek } from "./useFrameSeek";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("seeks only to the last moment requested within a frame", () => {
  const seek = vi.fn();
  const { result } = renderHook(() => useFrameSeek(seek));
  for (let index = 0; index < 50; index += 1) result.current(index);
  expect(seek).not.toHaveBeenCalled();
  vi.advanceTimersToNextFrame();
  expect(seek.mock.calls).toEqual([[49]]);
  result.current(3);
  vi.advanceTimersToNextFrame();
  expect(seek.mock.calls).toEqual([[49], [3]]);
});

test("does not seek after unmounting", () => {
  const seek = vi.fn();
  const { result, unmount } = renderHook(() => useFrameSeek(seek));
  result.current(7);
  unmount();
  vi.advanceTimersToNextFrame();
  expect(seek).not.toHaveBeenCalled();
});
