import type { ReactElement } from "react";
import { Pill } from "@/components/Pill";
import type { OfferedTool } from "./serverDraft";

/**
 * Whether a tool only reads or is destructive, according to its server. Baton does not verify this.
 */
export function ToolBadges({ tool }: { tool: OfferedTool }): ReactElement {
  if (tool.readOnly) return <Pill>Read-only</Pill>;
  return tool.destructive ? <Pill tone="danger">Destructive</Pill> : <Pill>Makes changes</Pill>;
}
