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
  run: "runs",
};
const blank: Enrichment = { starred: false, tags: [], notes: "" };

/** A user's notes on one item; blank if there are none, or while they are loading. */
export function getEnrichment(
  all: Enrichments | undefined,
  subject: EnrichmentSubject,
  id: string,
): Enrichment {
  return all?.[places[subject]][id] ?? blank;
}

/** A user's notes on one item. As long as `read` is false, they must not be edited. */
export function useEnrichment(subject: EnrichmentSubject, id: string) {
  const { data, error, refetch } = useOperation("enrichments_get", {});
  return { enrichment: getEnrichment(data, subject, id), read: data !== undefined, error, refetch };
}

/** The ids of starred plans. */
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
 * Updates the notes on an item: shown immediately, then saved, and reverted with a toast if saving
 * fails. Fields that aren't in `change` keep their stored values. With `over`, nothing is saved if
 * other notes than these are stored by then. Resolves to whether it was saved.
 */
export function useEnrichmentChange(): (
  subject: EnrichmentSubject,
  id: string,
  change: Partial<Enrichment>,
  over?: string,
) => Promise<boolean> {
  const backend = useBackend();
  const client = useQueryClient();
  return useCallback(
    async (subject, id, change, over) => {
      const key = operationKey("enrichments_get", {});
      client.setQueryData<Enrichments>(key, (all) => all && changed(all, subject, id, change));
      try {
        return await inTurn(client, async () => {
          // Another window may have changed something since; a new note must not remove a star.
          const stored = await backend.call("enrichments_get", {});
          const before = getEnrichment(stored, subject, id);
          if (over !== undefined && before.notes !== over && before.notes !== change.notes) {
            client.setQueryData<Enrichments>(key, stored);
            return false;
          }
          const enrichment = { ...before, ...change };
          await backend.call("enrichment_save", { subject, id, enrichment });
          return true;
        });
      } catch (cause) {
        void client.invalidateQueries({ queryKey: key });
        const { message } = ApiError.from(cause);
        showToast({ kind: "error", title: "Couldn't save the note", detail: message });
        return false;
      }
    },
    [backend, client],
  );
}

const turns = new WeakMap<QueryClient, Promise<unknown>>();

/** Runs saves one after the other, because each has to read what the previous one wrote. */
function inTurn<T>(client: QueryClient, act: () => Promise<T>): Promise<T> {
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
