import { type ReactElement, useState } from "react";
import { DiffView } from "@/attempt/DiffView";
import { diffRows } from "@/attempt/diffRows";
import { formatToolInput } from "@/attempt/toolCategory";
import { Button } from "@/components/Button";
import { formatNumber } from "@/components/formatCount";
import { CollapsibleCode } from "./CollapsibleCode";
import { parseFileChange } from "./fileChange";

/** The number of diff rows shown while collapsed. */
const initialRows = 12;

/**
 * A tool call for review: a file change as a diff, a command as text, anything else as its input.
 */
export function ToolCallPreview({ tool, input }: { tool: string; input: unknown }): ReactElement {
  const change = parseFileChange(tool, input);
  const [open, setOpen] = useState(false);
  if (change === undefined) return <CollapsibleCode text={formatToolInput(tool, input)} />;
  const rows = diffRows(change.hunks).length;
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      <p className="max-w-full break-all font-mono text-12">{change.path}</p>
      {change.otherInput !== "" && <CollapsibleCode text={change.otherInput} />}
      <div className="w-full">
        <DiffView path={change.path} hunks={change.hunks} most={open ? rows : initialRows} />
      </div>
      {rows > initialRows && (
        <Button size="small" kind="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Collapse" : `Show all ${formatNumber(rows)} lines`}
        </Button>
      )}
    </div>
  );
}
