import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ToastRegion } from "./ToastRegion";
import { showToast, useToasts } from "./toasts";

beforeEach(() => {
  vi.unstubAllGlobals();
  useToasts.setState({ toasts: [] });
});

afterEach(() => {
  vi.useRealTimers();
});

test("shows at most three toasts and drops the oldest", () => {
  for (const title of ["one", "two", "three", "four"]) showToast({ kind: "info", title });
  expect(useToasts.getState().toasts.map((toast) => toast.title)).toEqual(["two", "three", "four"]);
});

test("a repeated toast replaces its earlier self, unless there is something to do", () => {
  for (const title of ["No problems", "Copied", "No problems"]) showToast({ kind: "info", title });
  expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual(["Copied", "No problems"]);
  const action = { label: "Undo", onAct: () => undefined };
  for (let at = 0; at < 2; at += 1) showToast({ kind: "info", title: "Node deleted", action });
  expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual([
    "No problems",
    "Node deleted",
    "Node deleted",
  ]);
});

test("a small window shows only the newest toast", () => {
  vi.stubGlobal("innerHeight", 700);
  render(<ToastRegion>page</ToastRegion>);
  act(() => {
    for (const title of ["one", "two", "three"]) showToast({ kind: "info", title });
  });
  expect(screen.getByText("2 more")).toBeVisible();
  act(() => {
    vi.stubGlobal("innerHeight", 1_000);
    vi.stubGlobal("innerWidth", 1_600);
    window.dispatchEvent(new Event("resize"));
  });
  expect(screen.queryByText("2 more")).toBeNull();
});

test("Undo runs the action and dismisses the toast", async () => {
  const onAct = vi.fn();
  render(<ToastRegion>page</ToastRegion>);
  act(() => showToast({ kind: "info", title: "Node deleted", action: { label: "Undo", onAct } }));
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(onAct).toHaveBeenCalledOnce();
  expect(screen.queryByText("Node deleted")).toBeNull();
});

test("a toast calls onGone once", async () => {
  const onGone = vi.fn();
  render(<ToastRegion>page</ToastRegion>);
  act(() => showToast({ kind: "info", title: "Runs deleted", onGone }));
  expect(onGone).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(onGone).toHaveBeenCalledOnce();
});

test("a toast goes by itself after its own time", () => {
  vi.useFakeTimers();
  const onGone = vi.fn();
  render(<ToastRegion>page</ToastRegion>);
  act(() => showToast({ kind: "info", title: "Runs deleted", durationMs: 10_000, onGone }));
  act(() => vi.advanceTimersByTime(9_900));
  expect(onGone).not.toHaveBeenCalled();
  act(() => vi.advanceTimersByTime(200));
  expect(onGone).toHaveBeenCalledOnce();
});

test("an action comes before the end of its toast", async () => {
  const order: string[] = [];
  render(<ToastRegion>page</ToastRegion>);
  const action = { label: "Undo", onAct: () => order.push("undone") };
  act(() =>
    showToast({ kind: "info", title: "Deleted", action, onGone: () => order.push("gone") }),
  );
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(order).toEqual(["undone", "gone"]);
});

test("a toast that waits for its end makes no room for others", () => {
  const onGone = vi.fn();
  for (const title of ["one", "two", "three", "four"]) showToast({ kind: "info", title, onGone });
  for (const title of ["five", "six"]) showToast({ kind: "info", title });
  expect(onGone).not.toHaveBeenCalled();
  const shown = useToasts.getState().toasts.map(({ title }) => title);
  expect(shown, "the one without an end made room").toEqual(["one", "two", "three", "four", "six"]);
});

test("a small window still shows toasts with Undo, whatever comes after them", () => {
  vi.stubGlobal("innerHeight", 700);
  render(<ToastRegion>page</ToastRegion>);
  const action = { label: "Undo", onAct: () => undefined };
  act(() => {
    showToast({ kind: "info", title: "Deleting 1 run", action });
    for (const title of ["two", "three"]) showToast({ kind: "info", title });
  });
  const cardOf = (title: string) => screen.getByText(title).closest("li");
  expect(cardOf("Deleting 1 run")).not.toHaveClass("hidden");
  expect(cardOf("two")).toHaveClass("hidden");
  expect(screen.getByText("1 more")).toBeVisible();
});
