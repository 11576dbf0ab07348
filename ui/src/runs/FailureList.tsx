import type { ReactElement } from "react";
import { Button } from "@/components/Button";
import { formatCount } from "@/components/formatCount";
import type { BulkFailure } from "./bulkActs";

const maxListed = 200;

/** Runs on which an act failed. */
export interface Failures {
  /** "Not deleted" */
  title: string;
  failures: readonly BulkFailure[];
}

/** Lists the runs on which an act failed, each with the reason. */
export function FailureList({
  title,
  failures,
  onClose,
}: Failures & { onClose: () => void }): ReactElement {
  return (
    <div role="alert" className="mt-1.5 text-12">
      <div className="flex items-center gap-2">
        <span className="font-medium">
          {title}: {formatCount(failures.length, "run")}
        </span>
        <Button size="small" kind="ghost" onClick={onClose}>
          Dismiss
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keys */}
      <ul tabIndex={0} aria-label={title} className="max-h-40 overflow-auto">
        {failures.slice(0, maxListed).map(({ id, name, reason }) => (
          <li key={id}>
            {name}: {reason}
          </li>
        ))}
        {failures.length > maxListed && <li>and {failures.length - maxListed} more</li>}
      </ul>
    </div>
  );
}
