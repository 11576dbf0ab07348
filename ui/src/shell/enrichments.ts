import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { Enrichment, EnrichmentSubject, Enrichments } from "@/api/bindings";
import { operationKey, useOperation } from "@/api/queries";
import { showToast } from "@/components/toasts";

type Place = keyof Enrichments;

const places: Record<EnrichmentSubject, Place> = {
  plan: "plans",
  node: "nodes",
  session: "sessions",
};
const blank: Enrichment = { starred: false, tags: [], notes: "" };

/** What a person noted on one thing; blank before the first note, and while it is being read. */
export function getEnrichment(
  all: Enrichments | undefined,
  subject: EnrichmentSubject,
  id: string,
): Enrichment {
  return all?.[places[subject]][id] ?? blank;
}

/** What the person noted on one thing, and whether it has been read; without it nothing may be written over. */
export function useEnrichment(subject: EnrichmentSubject, id: string) {
  const { data, error, refetch } = useOperation("enrichments_get", {});
  return { enrichment: getEnrichment(data, subject, id), read: data !== undefined, error, refetch };
}

/** The plans that the person starred. */
export function useStarredPlans(): ReadonlySet<string> {
  const { data } = useOperation("enrichments_get", {});
  return useMemo(
    () =>
      new Set(
        Object.entries(data?.plans ?? {}).flatMap(([id, { starred }]) => (starred ? id : [])),
      ),
    [data],
  );
}

/**
 * Notes something on a thing: in sight at once, then stored, and taken back with a toast when that is refused. What the
 * change does not name stays as it is stored at that moment. Resolves to whether it was stored.
 */
export function useEnrichmentChange(): (
  subject: EnrichmentSubject,
  id: string,
  change: Partial<Enrichment>,
) => Promise<boolean> {
  const backend = useBackend();
  const client = useQueryClient();
  return useCallback(
    async (subject, id, change) => {
      const key = operationKey("enrichments_get", {});
      client.setQueryData<Enrichments>(key, (all) => all && changed(all, subject, id, change));
      try {
        await inTurn(client, async () => {
          // Another window may have noted something since, and a note must not cost a star.
          const stored = await backend.call("enrichments_get", {});
          const enrichment = { ...getEnrichment(stored, subject, id), ...change };
          await backend.call("enrichment_save", { subject, id, enrichment });
        });
        return true;
      } catch (cause) {
        void client.invalidateQueries({ queryKey: key });
        const { message } = ApiError.from(cause);
        showToast({ kind: "error", title: "The note was not saved", detail: message });
        return false;
      }
    },
    [backend, client],
  );
}

const turns = new WeakMap<QueryClient, Promise<unknown>>();

/** One after the other: each reads what is stored, and must find there what the one before it wrote. */
function inTurn(client: QueryClient, act: () => Promise<void>): Promise<void> {
  const turn = (turns.get(client) ?? Promise.resolve()).then(act);
  turns.set(
    client,
    turn.catch(() => undefined),
  );
  return turn;
}

function changed(
  all: Enrichments,
  subject: EnrichmentSubject,
  id: string,
  change: Partial<Enrichment>,
): Enrichments {
  const place = places[subject];
  const enrichment = { ...getEnrichment(all, subject, id), ...change };
  return { ...all, [place]: { ...all[place], [id]: enrichment } };
}
