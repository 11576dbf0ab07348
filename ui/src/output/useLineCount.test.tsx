import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BackendContext } from "@/api/backendContext";
import { fakeBackend } from "@/shell/fakeBackend";
import { OutputReader } from "./OutputReader";
import { FakeOutput } from "./outputFixture";
import { useLineCount } from "./useLineCount";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A backend that counts `step` bytes with each call. */
function open(output: FakeOutput, step: number) {
  let counted = 0;
  const fake = fakeBackend({
    output_line_count: () => {
      counted = Math.min(output.size, counted + step);
      const { size } = output;
      return { counted, size, lines: counted === size ? output.total : null };
    },
  });
  const reader = new OutputReader(async (range) => output.window(range));
  const wrapper = ({ children }: { children: ReactNode }) => (
    <BackendContext value={fake.backend}>{children}</BackendContext>
  );
  const hook = renderHook(({ size }) => useLineCount("s", reader, size), {
    wrapper,
    initialProps: { size: output.size },
  });
  return { ...fake, ...hook, calls: () => fake.inputsOf("output_line_count").length };
}

/** In steps, because the next call is due only after React has rendered the last answer. */
async function wait(ms: number) {
  for (let step = 0; step < 20; step += 1) await act(() => vi.advanceTimersByTimeAsync(ms / 20));
}

test("counts part by part until all lines are known, and then stops", async () => {
  const { result, calls } = open(new FakeOutput(1_000_000), 3_000_000);
  await wait(100);
  expect(result.current).toMatchObject({ lines: 1_000_000 });
  expect(calls()).toBe(7);
  await wait(10_000);
  expect(calls()).toBe(7);
});

test("an output that always grows is counted once a second", async () => {
  const output = new FakeOutput(1_000);
  const { result, rerender, calls } = open(output, 1e9);
  await wait(10);
  expect(calls()).toBe(1);
  for (let at = 0; at < 50; at += 1) {
    output.total += 10;
    rerender({ size: output.size });
    await wait(100);
  }
  expect(calls()).toBeGreaterThanOrEqual(4);
  expect(calls()).toBeLessThanOrEqual(6);
  expect(result.current?.lines).toBeGreaterThan(1_300);
});

test("a count without progress is not repeated until the output has grown", async () => {
  const output = new FakeOutput(1_000);
  const { calls, rerender } = open(output, 0);
  await wait(5_000);
  expect(calls()).toBe(2);
  output.total += 1;
  rerender({ size: output.size });
  await wait(1_000);
  expect(calls()).toBe(3);
});
