import type { ReactElement } from "react";
import type { SessionId, TimelineEntry } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { inputText } from "@/timeline/tools";
import { FoldedCode } from "./FoldedCode";

/** How far from the end of the session the call is looked for. */
const reach = 40;

/** The exact call that a session asks leave for; nothing until it is read, or when the session does not tell. */
export function AskedCall({
  session,
  request,
}: {
  session: SessionId;
  request: string;
}): ReactElement | null {
  const tail = useOperation("session_timeline", {
    session,
    from: -reach,
    limit: reach,
    since: null,
  });
  const call = tail.data?.entries.map(callOf(request)).find((text) => text !== undefined);
  return call === undefined ? null : <FoldedCode text={call} />;
}

function callOf(request: string) {
  return ({ kind }: TimelineEntry): string | undefined =>
    kind.type === "permission" && kind.request === request
      ? inputText(kind.tool, kind.input)
      : undefined;
}
