import { useMemo, useState } from "react";
import type { HeldCallId, RequestView } from "@/api/bindings";

export interface ShownRequest {
  request: RequestView;
  /** No longer open. Shown until dismissed, so that the user can read the error. */
  ended: boolean;
}

/**
 * The open requests, and those that ended with an error. The backend removes a request as soon as
 * it fails or is outdated by an edit of its plan. Keeping it here lets the user read the error.
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
    /** Keeps a request whose decision failed. */
    keep: (request: RequestView) => setKept((all) => [...without(all, request.id), request]),
    dismiss: (id: HeldCallId) => setKept((all) => without(all, id)),
  };
}
