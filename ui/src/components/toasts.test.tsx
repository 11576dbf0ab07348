import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ToastRegion } from "./ToastRegion";
import { showToast, useToasts } from "./toasts";

beforeEach(() => {
  vi.unstubAllGlobals();
  useToasts.setState({ toasts: [] });
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
