import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Backend } from "@/api/Backend";
import { BackendContext } from "@/api/backendContext";
import type { ConnectionState } from "@/api/connection";
import { ConnectionBanner } from "./ConnectionBanner";

function renderBanner() {
  let state: ConnectionState = "connected";
  const listeners = new Set<() => void>();
  const retry = vi.fn();
  const connection = {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    retry,
    takeToken: () => undefined,
  };
  render(
    <BackendContext value={{ connection } as unknown as Backend}>
      <ConnectionBanner />
    </BackendContext>,
  );
  const become = (next: ConnectionState) =>
    act(() => {
      state = next;
      for (const listener of listeners) listener();
    });
  return { become, retry };
}

test.each<[ConnectionState, RegExp, string]>([
  ["reconnecting", /Reconnecting….*keeps what you type/, "Try now"],
  ["refused", /Open the address that baton serve printed/, "Try now"],
  ["other_data", /another data directory/, "Reload"],
  ["outdated", /was updated/, "Reload"],
])("shows %s, and hides it afterwards", (state, text, button) => {
  const { become } = renderBanner();
  expect(screen.queryByRole("status")).toBeNull();
  become(state);
  expect(screen.getByRole("status")).toHaveTextContent(text);
  expect(screen.getByRole("button")).toHaveTextContent(button);
  become("connected");
  expect(screen.queryByRole("status")).toBeNull();
});

test("a person can try at once", () => {
  const { become, retry } = renderBanner();
  become("reconnecting");
  fireEvent.click(screen.getByRole("button", { name: "Try now" }));
  expect(retry).toHaveBeenCalledOnce();
});
