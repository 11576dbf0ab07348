import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import type { Backend } from "@/api/Backend";
import { BackendContext } from "@/api/backendContext";
import type { Enrichments } from "@/api/bindings";
import { createQueryClient } from "@/api/queryClient";
import { useToasts } from "@/components/toasts";
import { getEnrichment, useEnrichmentChange } from "./enrichments";

/** A backend that takes time to save; `refuse` is thrown once. */
function slowBackend(refuse: { next?: Error }) {
  const stored: Enrichments = { plans: {}, nodes: {}, sessions: {}, runs: {} };
  const call = vi.fn(async (name: string, input: unknown) => {
    if (name === "enrichments_get") return structuredClone(stored);
    const { id, enrichment } = structuredClone(input) as { id: string; enrichment: never };
    await new Promise((done) => setTimeout(done, 20));
    if (refuse.next) {
      const { next } = refuse;
      delete refuse.next;
      throw next;
    }
    stored.sessions[id] = enrichment;
    return {};
  });
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <BackendContext value={{ call } as unknown as Backend}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </BackendContext>
  );
  // Each part of a page has its own hook.
  const change = () => renderHook(() => useEnrichmentChange(), { wrapper }).result.current;
  return { stored, change };
}

test("adding a tag while a star is saving keeps the star", async () => {
  const { stored, change } = slowBackend({});
  const [star, tag] = [change(), change()];
  await Promise.all([
    star("session", "s", { starred: true }),
    tag("session", "s", { tags: ["later"] }),
  ]);
  expect(getEnrichment(stored, "session", "s")).toEqual({
    starred: true,
    tags: ["later"],
    notes: "",
  });
});

test("an error is reported and does not block later changes", async () => {
  const { stored, change } = slowBackend({ next: new Error("the disk is full") });
  const noted = change();
  const [star, tag] = await Promise.all([
    noted("session", "s", { starred: true }),
    noted("session", "s", { tags: ["later"] }),
  ]);
  expect([star, tag]).toEqual([false, true]);
  expect(getEnrichment(stored, "session", "s")).toMatchObject({ starred: false, tags: ["later"] });
  expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual(["Couldn't save the note"]);
});
