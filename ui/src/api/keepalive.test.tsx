import { afterEach, expect, test, vi } from "vitest";
import { httpBackend } from "./http";

afterEach(() => {
  window.dispatchEvent(new Event("pageshow"));
  vi.unstubAllGlobals();
});

test("short requests sent during page unload use keepalive", async () => {
  const fetched = vi.fn(async (_url: string, _request: RequestInit) => new Response("{}"));
  vi.stubGlobal("fetch", fetched);
  const backend = httpBackend({ token: () => undefined });
  const save = (value: string) => backend.call("app_state_save", { ui: { value } });

  await save("stays");
  window.dispatchEvent(new Event("pagehide"));
  await save("goes");
  // A browser would reject this one with keepalive; without it there is at least a chance.
  await save("x".repeat(20_000));
  expect(fetched.mock.calls.map(([, { keepalive }]) => keepalive)).toEqual([false, true, false]);
});
