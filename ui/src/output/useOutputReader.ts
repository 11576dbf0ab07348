import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { BackendEvent } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import type { SessionId } from "@/api/bindings";
import { OutputReader, type OutputState } from "./OutputReader";

/** Opens a reader and keeps it current while the component is mounted. */
export function useOutputReader(
  session: SessionId,
  follow: boolean,
): { reader: OutputReader; state: OutputState } {
  const backend = useBackend();
  const reader = useMemo(
    () => new OutputReader((range) => backend.call("output_window", { session, ...range })),
    [backend, session],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: `follow` counts only when it opens
  useEffect(() => {
    reader.open(follow);
    return backend.events((signal) => {
      if (concerns(session, signal)) reader.refresh();
    });
  }, [backend, reader, session]);

  return { reader, state: useSyncExternalStore(reader.subscribe, reader.state) };
}

function concerns(session: SessionId, signal: BackendEvent): boolean {
  if (signal.kind === "gap" || signal.event.change === "all") return true;
  return signal.event.change === "session" && signal.event.session === session;
}
