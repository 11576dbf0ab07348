import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { waitForFirstFrame } from "./waitForFirstFrame";

const frames: (() => void)[] = [];
const page = { hidden: false };

beforeEach(() => {
  frames.length = 0;
  page.hidden = false;
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function watchWait(): () => boolean {
  let isOver = false;
  void waitForFirstFrame().then(() => {
    isOver = true;
  });
  return () => isOver;
}

test("the wait ends in the task after the first frame", async () => {
  const isOver = watchWait();
  await vi.advanceTimersByTimeAsync(50);
  expect(isOver()).toBe(false);
  for (const frame of frames) frame();
  await Promise.resolve();
  expect(isOver(), "the frame isn't painted yet").toBe(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(isOver()).toBe(true);
});

test("a window that paints nothing doesn't wait for long, and a hidden one not at all", async () => {
  const isOver = watchWait();
  await vi.advanceTimersByTimeAsync(100);
  expect(isOver()).toBe(true);

  page.hidden = true;
  const isHiddenOver = watchWait();
  await Promise.resolve();
  expect(isHiddenOver()).toBe(true);
});
