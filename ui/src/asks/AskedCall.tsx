import type { ReactElement } from "react";
import type { SessionId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { CallView } from "./CallView";

/** The exact call that a session asks leave for; nothing until it is read, or when the session does not tell. */
export function AskedCall({
  session,
  request,
}: {
  session: SessionId;
  request: string;
}): ReactElement | null {
  const call = useOperation("session_question", { session, request });
  if (call.data === undefined) return null;
  return <CallView tool={call.data.tool} input={call.data.input} />;
}
