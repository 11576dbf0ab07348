import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ToastRegion } from "./ToastRegion";
import { showToast, useToasts } from "./toasts";

beforeEach(() => {
  vi.unstubAllGlobals();
  useToasts.setState({ toasts: [] });
});

test("at most three are on screen, and the oldest leaves", () => {
  for (const title of ["one", "two", "three", "four"]) showToast({ kind: "info", title });
  expect(useToasts.getState().toasts.map((toast) => toast.title)).toEqual(["two", "three", "four"]);
});

test("in a small window the newest stands for the others", () => {
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

test("undo acts and takes the toast away", async () => {
  const onAct = vi.fn();
  render(<ToastRegion>page</ToastRegion>);
  act(() => showToast({ kind: "info", title: "Node deleted", action: { label: "Undo", onAct } }));
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(onAct).toHaveBeenCalledOnce();
  expect(screen.queryByText("Node deleted")).toBeNull();
});
