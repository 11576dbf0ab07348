import { useMemo, useState } from "react";
import type { HeldCallId, RequestView } from "@/api/bindings";

/** A request on the page. */
export interface ShownRequest {
  request: RequestView;
  /** It waits no more, and stays only until the person has read why it was not carried out. */
  ended: boolean;
}

/**
 * The requests that wait, and those that have ended with an error meanwhile. A request that fails, or that an edit of
 * its plan has overtaken, leaves the backend's list at once; without this its reason would be gone with it.
 */
export function useRequests(waiting: readonly RequestView[]) {
  const [kept, setKept] = useState<readonly RequestView[]>([]);
  const shown = useMemo(() => {
    const ids = new Set(waiting.map(({ id }) => id));
    const ended = kept.filter(({ id }) => !ids.has(id));
    return [
      ...waiting.map((request): ShownRequest => ({ request, ended: false })),
      ...ended.map((request): ShownRequest => ({ request, ended: true })),
    ].sort((one, other) => one.request.askedAt - other.request.askedAt);
  }, [waiting, kept]);
  const without = (all: readonly RequestView[], id: HeldCallId) =>
    all.filter((each) => each.id !== id);
  return {
    shown,
    /** Holds on to a request of which an act was refused. */
    keep: (request: RequestView) => setKept((all) => [...without(all, request.id), request]),
    dismiss: (id: HeldCallId) => setKept((all) => without(all, id)),
  };
}
