import type { ReactElement } from "react";
import type { SessionId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ToolCallPreview } from "./ToolCallPreview";

/** The exact call that a session asks leave for; nothing until it is read, or when the session does not tell. */
export function PermissionCall({
  session,
  request,
}: {
  session: SessionId;
  request: string;
}): ReactElement | null {
  const call = useOperation("session_question", { session, request });
  if (call.data === undefined) return null;
  return <ToolCallPreview tool={call.data.tool} input={call.data.input} />;
}
