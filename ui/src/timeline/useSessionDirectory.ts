import { useOperation } from "@/api/queries";
import type { TimelineSource } from "./timelineSource";

/** Returns the directory that a session works in; `undefined` while it is unknown. */
export function useSessionDirectory(source: TimelineSource): string | undefined {
  const session = source.kind === "session" ? source.session : "";
  const id = source.kind === "transcript" ? source.transcript : "";
  const run = useOperation("session_get", { session }, { enabled: session !== "" });
  const history = useOperation("transcript_get", { id }, { enabled: id !== "" });
  return run.data?.cwd ?? history.data?.project ?? undefined;
}
