import type { ReactElement } from "react";
import { Button } from "@/components/Button";

export interface UnreadRequestsProps {
  message: string;
  retrying: boolean;
  onRetry: () => void;
}

/** The error shown when agent requests couldn't be loaded. The rest of the Inbox stays usable. */
export function UnreadRequests({ message, retrying, onRetry }: UnreadRequestsProps): ReactElement {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-card border px-3 py-2">
      <p className="min-w-0 flex-1 basis-64 select-text break-words text-danger-fg">
        Couldn't load the agent requests. {message}
      </p>
      <Button size="small" busy={retrying} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
