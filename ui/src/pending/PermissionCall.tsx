import type { ReactElement } from "react";
import type { SessionId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ToolCallPreview } from "./ToolCallPreview";

/**
 * The exact call that needs permission. Renders nothing while it loads, or if the session doesn't
 * report it.
 */
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
