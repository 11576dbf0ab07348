import type { ReactElement } from "react";
import { Pill } from "@/components/Pill";
import type { OfferedTool } from "./serverDraft";

/** What a server says of a tool: it only reads, or it may destroy. A claim of the server, not a finding. */
export function ToolBadges({ tool }: { tool: OfferedTool }): ReactElement {
  if (tool.readOnly) return <Pill>Read-only</Pill>;
  return tool.destructive ? <Pill tone="danger">May destroy</Pill> : <Pill>Changes things</Pill>;
}
