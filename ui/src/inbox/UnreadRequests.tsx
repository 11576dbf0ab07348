import type { ReactElement } from "react";
import { Button } from "@/components/Button";

export interface UnreadRequestsProps {
  /** Why. */
  message: string;
  retrying: boolean;
  onRetry: () => void;
}

/** Stands for the requests of agents when they could not be read; the rest of the Inbox is there all the same. */
export function UnreadRequests({ message, retrying, onRetry }: UnreadRequestsProps): ReactElement {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-card border px-3 py-2">
      <p className="min-w-0 flex-1 basis-64 select-text break-words text-danger-fg">
        Couldn’t read the requests of agents. {message}
      </p>
      <Button size="small" busy={retrying} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
