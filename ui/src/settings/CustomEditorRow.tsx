import type { ReactElement } from "react";
import { Button } from "@/components/Button";

/** The custom command, with a button to change it. */
export function CustomEditorRow({
  argv,
  onEdit,
}: {
  argv: readonly string[];
  onEdit: () => void;
}): ReactElement {
  const command = argv.join(" ");
  return (
    <div className="flex items-center gap-2">
      <code className="min-w-0 flex-1 select-text truncate text-12" title={command}>
        {command}
      </code>
      <Button size="small" onClick={onEdit}>
        Edit command
      </Button>
    </div>
  );
}
