import type { ReactElement } from "react";
import { Button } from "@/components/Button";

interface DraftHintProps {
  /** The button that returns to the stored text, such as "Use the saved note". */
  back: string;
  onBack: () => void;
}

/** Says that a field shows a text that was typed before another one was stored. */
export function DraftHint({ back, onBack }: DraftHintProps): ReactElement {
  return (
    <div role="status" className="mt-1 flex flex-wrap items-center gap-2 text-12 text-muted">
      Unsaved text from before.
      <Button size="small" onClick={onBack}>
        {back}
      </Button>
    </div>
  );
}
