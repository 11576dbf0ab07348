import { act, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Backend, ConnectionState } from "@/api/Backend";
import { BackendContext } from "@/api/backendContext";
import { ConnectionBanner } from "./ConnectionBanner";

test("shows the banner while the connection is lost", () => {
  let setConnection: ((state: ConnectionState) => void) | undefined;
  const backend = {
    onConnectionChange: (listener: (state: ConnectionState) => void) => {
      setConnection = listener;
      return () => undefined;
    },
  } as unknown as Backend;
  render(
    <BackendContext value={backend}>
      <ConnectionBanner />
    </BackendContext>,
  );
  expect(screen.queryByRole("status")).toBeNull();
  act(() => setConnection?.("silent"));
  expect(screen.getByRole("status").textContent).toContain("Baton isn't responding.");
  act(() => setConnection?.("refused"));
  expect(screen.getByRole("status").textContent).toContain("open the address");
  act(() => setConnection?.("answers"));
  expect(screen.queryByRole("status")).toBeNull();
});
