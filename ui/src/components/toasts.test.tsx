import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ToastRegion } from "./ToastRegion";
import { showToast, useToasts } from "./toasts";

beforeEach(() => useToasts.setState({ toasts: [] }));

test("at most three are on screen, and the oldest leaves", () => {
  for (const title of ["one", "two", "three", "four"]) showToast({ kind: "info", title });
  expect(useToasts.getState().toasts.map((toast) => toast.title)).toEqual(["two", "three", "four"]);
});

test("undo acts and takes the toast away", async () => {
  const onAct = vi.fn();
  render(<ToastRegion>page</ToastRegion>);
  act(() => showToast({ kind: "info", title: "Node deleted", action: { label: "Undo", onAct } }));
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(onAct).toHaveBeenCalledOnce();
  expect(screen.queryByText("Node deleted")).toBeNull();
});
