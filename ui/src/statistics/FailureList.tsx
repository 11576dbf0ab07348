import type { ReactElement } from "react";
import { Link } from "react-router";
import type { FailureCount } from "@/api/bindings";
import { toSentence } from "@/components/toSentence";
import { paths } from "@/shell/paths";

export interface Failures {
  /** The agent or kind of node whose attempts failed. */
  of: string;
  failures: FailureCount[];
}

/**
 * Reasons of failed attempts by agent or kind, most frequent first. Each leads to the node that
 * failed last.
 */
export function FailureList({ groups }: { groups: Failures[] }): ReactElement {
  const most = Math.max(...groups.flatMap(({ failures }) => failures.map(({ count }) => count)));
  return (
    <div className="flex flex-col gap-3 pt-1">
      {groups.map(({ of, failures }) => (
        <div key={of} className="flex gap-4">
          <h3 className="w-36 shrink-0 truncate font-medium text-13" title={of} dir="auto">
            {of}
          </h3>
          <ul className="flex min-w-0 flex-1 flex-col gap-1">
            {failures.map((failure) => (
              <Reason key={failure.reason} failure={failure} most={most} />
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function Reason({ failure, most }: { failure: FailureCount; most: number }): ReactElement {
  const { reason, count, latest, latestNode } = failure;
  const rest = latest === reason ? undefined : latest.slice(reason.length).replace(/^: /, "");
  return (
    <li className="flex min-w-0 items-baseline gap-3">
      <span className="w-10 shrink-0 text-right tabular-nums">{count}</span>
      <span aria-hidden="true" className="h-1.5 w-28 shrink-0 self-center">
        <span
          style={{ width: `${(count / most) * 100}%` }}
          className="block h-full min-w-0.5 forced-color-adjust-none rounded-full bg-state-failed"
        />
      </span>
      <span className="min-w-0 truncate" title={latest}>
        {toSentence(reason)}
        {latestNode ? (
          <Link
            to={paths.run(latestNode.run, latestNode.node)}
            aria-label={rest ? `Latest: ${rest}` : `Show latest: ${toSentence(reason)}`}
            className="ml-2 text-12 text-faint hover:text-fg hover:underline"
          >
            {rest ? `Latest: ${rest}` : "Show latest"}
          </Link>
        ) : (
          rest && <span className="ml-2 text-12 text-faint">Latest: {rest}</span>
        )}
      </span>
    </li>
  );
}
