import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { News } from "@/asks/news";
import { NoticePace } from "./NoticePace";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const newsOf = (key: string): News => ({
  key,
  kind: "failure",
  title: `${key} failed`,
  body: "",
  place: "/",
  plan: undefined,
});

function pace() {
  const told: string[] = [];
  return { told, pace: new NoticePace(({ title }) => told.push(title)) };
}

test("a hundred failures within a minute are a handful of words", () => {
  const { told, pace: notices } = pace();
  for (let at = 0; at < 100; at += 1) {
    notices.hear([newsOf(`n${at}`)]);
    vi.advanceTimersByTime(500);
  }
  vi.advanceTimersByTime(60_000);
  expect(told[0], "the first is told at once").toBe("n0 failed");
  expect(told.length).toBeLessThan(10);
  const counted = told.map((title) => Number(/^\d+/.exec(title)?.[0] ?? 1));
  expect(
    counted.reduce((sum, each) => sum + each, 0),
    "nothing is lost",
  ).toBe(100);
});

test("what is far apart is told one by one", () => {
  const { told, pace: notices } = pace();
  notices.hear([newsOf("a")]);
  vi.advanceTimersByTime(10_000);
  notices.hear([newsOf("b"), newsOf("c")]);
  expect(told).toEqual(["a failed", "b failed", "c failed"]);
});

test("what the person has seen meanwhile is not told any more", () => {
  const { told, pace: notices } = pace();
  notices.hear([newsOf("a")]);
  notices.hear([newsOf("b")]);
  notices.forget();
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(["a failed"]);
});
