import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AppNotification } from "@/pending/notifications";
import { NotificationThrottle } from "./NotificationThrottle";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const newsOf = (key: string): AppNotification => ({
  key,
  kind: "failure",
  title: `${key} failed`,
  body: "",
  path: "/",
  plan: undefined,
});

function pace() {
  const told: string[] = [];
  return { told, pace: new NotificationThrottle(({ title }) => told.push(title)) };
}

test("a hundred failures within a minute become a few notifications", () => {
  const { told, pace: notices } = pace();
  for (let at = 0; at < 100; at += 1) {
    notices.add([newsOf(`n${at}`)]);
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

test("events far apart notify one by one", () => {
  const { told, pace: notices } = pace();
  notices.add([newsOf("a")]);
  vi.advanceTimersByTime(10_000);
  notices.add([newsOf("b"), newsOf("c")]);
  expect(told).toEqual(["a failed", "b failed", "c failed"]);
});

test("events already seen do not notify", () => {
  const { told, pace: notices } = pace();
  notices.add([newsOf("a")]);
  notices.add([newsOf("b")]);
  notices.forget();
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(["a failed"]);
});
