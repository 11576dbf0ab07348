import { act, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Backend, Reach } from "@/api/Backend";
import { BackendContext } from "@/api/backendContext";
import { ReachBanner } from "./ReachBanner";

test("a page that Baton does not answer says so, and stops when it answers again", () => {
  let tell: ((reach: Reach) => void) | undefined;
  const backend = {
    onReach: (listener: (reach: Reach) => void) => {
      tell = listener;
      return () => undefined;
    },
  } as unknown as Backend;
  render(
    <BackendContext value={backend}>
      <ReachBanner />
    </BackendContext>,
  );
  expect(screen.queryByRole("status")).toBeNull();
  act(() => tell?.("silent"));
  expect(screen.getByRole("status").textContent).toContain("Baton does not answer.");
  act(() => tell?.("refused"));
  expect(screen.getByRole("status").textContent).toContain("Open the address");
  act(() => tell?.("answers"));
  expect(screen.queryByRole("status")).toBeNull();
});
