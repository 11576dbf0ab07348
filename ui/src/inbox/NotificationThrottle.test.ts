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
  const shown: string[] = [];
  return { shown, pace: new NotificationThrottle(({ title }) => shown.push(title)) };
}

test("a hundred failures within a minute become a few notifications", () => {
  const { shown, pace: notices } = pace();
  for (let at = 0; at < 100; at += 1) {
    notices.add([newsOf(`n${at}`)]);
    vi.advanceTimersByTime(500);
  }
  vi.advanceTimersByTime(60_000);
  expect(shown[0], "the first is shown immediately").toBe("n0 failed");
  expect(shown.length).toBeLessThan(10);
  const counted = shown.map((title) => Number(/^\d+/.exec(title)?.[0] ?? 1));
  expect(
    counted.reduce((sum, each) => sum + each, 0),
    "nothing is lost",
  ).toBe(100);
});

test("events far apart notify one by one", () => {
  const { shown, pace: notices } = pace();
  notices.add([newsOf("a")]);
  vi.advanceTimersByTime(10_000);
  notices.add([newsOf("b"), newsOf("c")]);
  expect(shown).toEqual(["a failed", "b failed", "c failed"]);
});

test("events already seen do not notify", () => {
  const { shown, pace: notices } = pace();
  notices.add([newsOf("a")]);
  notices.add([newsOf("b")]);
  notices.forget();
  vi.advanceTimersByTime(60_000);
  expect(shown).toEqual(["a failed"]);
});
