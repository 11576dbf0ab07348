import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { lazyPage } from "./lazyPage";
import { PageError } from "./PageError";
import { reloadWindow } from "./reloadWindow";

vi.mock("./reloadWindow", () => ({ reloadWindow: vi.fn() }));

async function open(lazy: () => Promise<{ Component: () => React.ReactElement }>) {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const router = createMemoryRouter([{ path: "/", errorElement: <PageError />, lazy }]);
  render(<RouterProvider router={router} />);
  await screen.findByRole("alert");
}

test("a page whose code failed to load says so and can be retried", async () => {
  const lost = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
  const asked = vi
    .spyOn(globalThis, "fetch")
    .mockRejectedValue(new TypeError("connection refused"));
  await open(lazyPage<"Page">(lost, "Page") as Parameters<typeof open>[0]);
  expect(screen.getByRole("alert")).toHaveTextContent("Check that `baton serve` is still running");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(asked).toHaveBeenCalledOnce();
  expect(screen.getByRole("alert")).toHaveTextContent("Couldn't load this page");
});

test("a page whose code failed to load is loaded when the server is back", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const lost = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
  const asked = vi.spyOn(globalThis, "fetch").mockRejectedValueOnce(new TypeError("refused"));
  asked.mockResolvedValue(new Response("", { status: 200 }));
  await open(lazyPage<"Page">(lost, "Page") as Parameters<typeof open>[0]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reloadWindow).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reloadWindow).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

test("a page that throws while rendering shows the error", async () => {
  await open(async () => ({
    Component: () => {
      throw new Error("no such thing");
    },
  }));
  expect(screen.getByRole("alert")).toHaveTextContent("An error occurred in Baton's interface");
  expect(screen.getByText("no such thing")).toBeVisible();
});
