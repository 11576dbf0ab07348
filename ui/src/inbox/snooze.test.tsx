import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useToasts } from "@/components/toasts";
import { getAppStateValue, resetAppState, setAppStateValue } from "@/shell/appState";
import { formatReturn, nextReturn, parseSnoozes, snoozeChoices, withSnooze } from "./snooze";
import { endSnooze, snooze, useSnoozes } from "./useSnoozes";

const at = (text: string) => new Date(text);

beforeEach(() => {
  vi.useFakeTimers({ now: at("2026-11-27T10:30:00") });
  resetAppState();
  useToasts.setState({ toasts: [] });
});
afterEach(() => void vi.useRealTimers());

test.each<[string, string, [string, string][]]>([
  [
    "a Friday morning",
    "2026-11-27T10:30:00",
    [
      ["Later today", "2026-11-27T13:30:00"],
      ["Tomorrow", "2026-11-28T09:00:00"],
      ["Next week", "2026-11-30T09:00:00"],
    ],
  ],
  [
    "a Monday",
    "2026-11-30T08:00:00",
    [
      ["Later today", "2026-11-30T11:00:00"],
      ["Tomorrow", "2026-12-01T09:00:00"],
      ["Next week", "2026-12-07T09:00:00"],
    ],
  ],
  [
    "a late Sunday evening",
    "2026-11-29T22:00:00",
    [
      ["Tomorrow", "2026-11-30T09:00:00"],
      ["Next week", "2026-11-30T09:00:00"],
    ],
  ],
  [
    "the last evening of a year",
    "2026-12-31T23:59:00",
    [
      ["Tomorrow", "2027-01-01T09:00:00"],
      ["Next week", "2027-01-04T09:00:00"],
    ],
  ],
])("the choices on %s", (_, now, choices) => {
  expect(snoozeChoices(at(now))).toEqual(
    choices.map(([label, until]) => ({ label, until: at(until).getTime() })),
  );
});

test.each([
  ["2026-11-27T13:30:00", "today, 1:30 PM"],
  ["2026-11-28T09:00:00", "tomorrow, 9:00 AM"],
  ["2026-11-30T09:00:00", "Mon, Nov 30, 9:00 AM"],
])("%s reads %s", (until, text) => {
  expect(formatReturn(at(until).getTime(), at("2026-11-27T10:30:00"))).toBe(text);
});

test("what is over is forgotten, and the number is bounded", () => {
  expect(withSnooze({ past: 5, later: 20 }, "new", 30, 10)).toEqual({ later: 20, new: 30 });
  expect(withSnooze({ a: 20, b: 30 }, "a", undefined, 10)).toEqual({ b: 30 });
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 20]));
  const next = withSnooze(many, "new", 30, 10);
  expect(Object.keys(next)).toHaveLength(500);
  expect(next.new).toBe(30);
});

test.each([[undefined], ["text"], [["text"]], [{ a: "soon", b: null }]])(
  "ignores %j in the file",
  (stored) => {
    expect(nextReturn(parseSnoozes(stored), 0)).toBeUndefined();
  },
);

test("a snoozed item comes back by itself", () => {
  setAppStateValue("snoozed", { first: Date.now() + 1_000, second: Date.now() + 5_000 });
  const { result } = renderHook(useSnoozes);
  const snoozed = () => ["first", "second"].filter(result.current.isSnoozed);
  expect(snoozed()).toEqual(["first", "second"]);
  act(() => vi.advanceTimersByTime(1_100));
  expect(snoozed()).toEqual(["second"]);
  act(() => vi.advanceTimersByTime(5_000));
  expect(snoozed()).toEqual([]);
});

test("a snooze longer than a timer can wait still ends", () => {
  const days = 24 * 60 * 60 * 1_000;
  setAppStateValue("snoozed", { far: Date.now() + 40 * days });
  const { result } = renderHook(useSnoozes);
  act(() => vi.advanceTimersByTime(39 * days));
  expect(result.current.isSnoozed("far")).toBe(true);
  act(() => vi.advanceTimersByTime(2 * days));
  expect(result.current.isSnoozed("far")).toBe(false);
});

test("a snooze can be undone and ended early", () => {
  const until = Date.now() + 60_000;
  snooze("item", until);
  expect(getAppStateValue("snoozed")).toEqual({ item: until });
  const [toast] = useToasts.getState().toasts;
  expect(toast?.title).toBe("Snoozed until today, 10:31 AM");
  toast?.action?.onAct();
  expect(getAppStateValue("snoozed")).toEqual({});
  snooze("item", until);
  endSnooze("item");
  expect(getAppStateValue("snoozed")).toEqual({});
});
