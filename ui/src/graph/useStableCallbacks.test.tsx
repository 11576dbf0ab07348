import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useStableCallbacks } from "./useStableCallbacks";

test("the functions keep their identity and call the latest version", () => {
  const { result, rerender } = renderHook(
    ({ base }) => useStableCallbacks({ add: (more: number) => base + more }),
    { initialProps: { base: 1 } },
  );
  const [first] = [result.current];
  expect(first.add(1)).toBe(2);
  rerender({ base: 10 });
  expect(result.current).toBe(first);
  expect(first.add(1)).toBe(11);
});
