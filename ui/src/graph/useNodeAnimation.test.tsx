import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { NodeId, Position } from "@/api/bindings";
import { useNodeAnimation } from "./useNodeAnimation";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const [one, two] = ["one", "two"] as NodeId[];
const to = (x: number) => new Map([[one as NodeId, { x, y: 0 }]]);

function glides() {
  const shown: ReadonlyMap<NodeId, Position>[] = [];
  const { result } = renderHook(() => useNodeAnimation((places) => shown.push(places)));
  const from = (): Position => shown.at(-1)?.get(one as NodeId) ?? { x: 0, y: 0 };
  return {
    shown,
    go: (...[places, settle, arrived]: [Map<NodeId, Position>, () => void, (() => void)?]) =>
      act(() => result.current(from, places, settle, arrived)),
  };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

it("settles before anything moves, and starts from the old positions", () => {
  const { shown, go } = glides();
  const settle = vi.fn();
  go(to(100), settle);
  expect(settle).toHaveBeenCalledOnce();
  expect(shown).toEqual([new Map([[one, { x: 0, y: 0 }]])]);
  pass(80);
  const middle = shown.at(-1)?.get(one as NodeId)?.x ?? 0;
  expect(middle).toBeGreaterThan(0);
  expect(middle).toBeLessThan(100);
  pass(200);
  expect(shown.at(-1)).toEqual(new Map());
});

it("loses nothing when another animation begins before the first has ended", () => {
  const { shown, go } = glides();
  const [first, second, arrivedFirst, arrived] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
  go(to(100), first, arrivedFirst);
  pass(80);
  go(to(500), second, arrived);
  pass(400);
  expect(first).toHaveBeenCalledOnce();
  expect(second).toHaveBeenCalledOnce();
  expect(arrivedFirst).not.toHaveBeenCalled();
  expect(arrived).toHaveBeenCalledOnce();
  expect(shown.at(-1)).toEqual(new Map());
});

it("moves many nodes immediately, and calls back when they are drawn", () => {
  const { shown, go } = glides();
  const many = new Map(
    Array.from({ length: 301 }, (_, at) => [`${two}${at}` as NodeId, { x: at, y: 0 }]),
  );
  const [settle, arrived] = [vi.fn(), vi.fn()];
  go(many, settle, arrived);
  expect(settle).toHaveBeenCalledOnce();
  expect(shown).toEqual([new Map()]);
  expect(arrived, "the new positions are not drawn yet").not.toHaveBeenCalled();
  pass(50);
  expect(arrived).toHaveBeenCalledOnce();
});
