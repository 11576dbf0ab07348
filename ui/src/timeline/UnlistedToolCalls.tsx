import type { ReactElement } from "react";
import type { UnlistedToolCall } from "@/api/bindings";

/**
 * The tool calls of an attempt that are not in its node's list of tools. Renders nothing when there
 * are none.
 */
export function UnlistedToolCalls({
  calls,
}: {
  calls: readonly UnlistedToolCall[];
}): ReactElement | null {
  if (calls.length === 0) return null;
  const refused = calls.filter((call) => call.refused).length;
  const words = [
    refused > 0 && `${refused} blocked`,
    calls.length > refused && `${calls.length - refused} would have been blocked`,
  ].filter((part) => part !== false);
  return (
    <details className="shrink-0 border-b px-4 py-1.5 text-12">
      <summary className="cursor-pointer text-muted">
        Tool calls not in the node's list: {words.join(", ")}
      </summary>
      <ul className="mt-1 flex max-h-48 flex-col gap-1 overflow-auto">
        {calls.map((call) => (
          <li key={call.call} className="min-w-0">
            <code className="block select-text break-all">{call.what}</code>
            <span className="text-faint">{call.note}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
