import { QueryClientProvider } from "@tanstack/react-query";
import { configure, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { BackendContext } from "@/api/backendContext";
import { createQueryClient } from "@/api/queryClient";
import { TooltipProvider } from "@/components/Tooltip";
import { createRouter, routes } from "./routes";

// Pages are loaded lazily, which is slow on a busy machine.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

// A backend that never answers: the layout must render without it.
const silent = {
  call: () => new Promise<never>(() => {}),
  events: () => () => {},
  pickFile: async () => undefined,
  saveText: async () => undefined,
  saveBytes: async () => undefined,
  saveSessionOutput: async () => undefined,
  onFileDrag: () => () => {},
};

function open(address: string) {
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  render(
    <BackendContext value={silent}>
      <QueryClientProvider client={createQueryClient()}>
        <TooltipProvider>
          <RouterProvider router={router} />
        </TooltipProvider>
      </QueryClientProvider>
    </BackendContext>,
  );
  return router;
}

test("starts on the list of blueprints", async () => {
  const router = open("/");
  expect(await screen.findByRole("heading", { name: "Blueprints" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/blueprints");
  expect(screen.getByRole("link", { name: "Blueprints" })).toHaveAttribute("aria-current", "page");
});

test("an unknown URL shows a not-found page with a link back", async () => {
  open("/nowhere/7");
  expect(await screen.findByText("/nowhere/7")).toBeVisible();
  expect(screen.getByRole("link", { name: "All blueprints" })).toHaveAttribute(
    "href",
    "/blueprints",
  );
});

test.each([
  ["/runs?state=failed", "/runs", "?state=failed"],
  ["/blueprints/7/nodes/8", "/blueprints/7/nodes/8", ""],
  ["/runs#/inbox", "/inbox", ""],
  ["/", "/", ""],
  ["/index.html", "/", ""],
])("the address %s leads to %s%s", (address, pathname, search) => {
  window.history.replaceState(null, "", address);
  const { location } = createRouter().state;
  expect([location.pathname, location.search]).toEqual([pathname, search]);
});
