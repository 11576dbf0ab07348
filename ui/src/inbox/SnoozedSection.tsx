import type { ReactElement } from "react";
import { Link } from "react-router";
import type { InboxItem, RequestView } from "@/api/bindings";
import { Button } from "@/components/Button";
import { describeOperation, describeRequester, requestKey } from "@/pending/agentRequest";
import { describeAsk, inboxItemKey } from "@/pending/pendingItem";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import { formatReturn, type Snoozes } from "./snooze";
import { endSnooze } from "./useSnoozes";

export interface SnoozedSectionProps {
  items: readonly InboxItem[];
  requests: readonly RequestView[];
  snoozes: Snoozes;
}

/** The snoozed items, the next one to come back first. They can be shown again at any time. */
export function SnoozedSection(props: SnoozedSectionProps): ReactElement | null {
  const { items, requests, snoozes } = props;
  const rows = [...items.map(rowOfItem), ...requests.map(rowOfRequest)];
  if (rows.length === 0) return null;
  const untilOf = ({ key }: SnoozedRow) => snoozes[key] ?? 0;
  const now = new Date();
  return (
    <section aria-labelledby="inbox-snoozed">
      <h2 id="inbox-snoozed" className="flex gap-1.5 pb-1 font-medium text-12 text-muted">
        Snoozed <span className="text-faint tabular-nums">{rows.length}</span>
      </h2>
      <ul className="flex flex-col divide-y divide-line border-y">
        {rows
          .toSorted((one, other) => untilOf(one) - untilOf(other))
          .map((row) => (
            <li key={row.key} className="flex min-h-9 items-center gap-3 px-3 py-1">
              <span className="min-w-0 flex-1">
                <span dir="auto" title={row.title} className="block truncate text-muted">
                  {row.title}
                </span>
                {row.place && (
                  <Link
                    to={row.place.address}
                    dir="auto"
                    className="block max-w-fit truncate rounded-small text-12 text-faint hover:text-fg hover:underline"
                  >
                    {row.place.title}
                  </Link>
                )}
              </span>
              <span className="shrink-0 text-12 text-faint">
                Until {formatReturn(untilOf(row), now)}
              </span>
              <Button
                size="small"
                aria-label={`Show now: ${row.title}`}
                onClick={() => endSnooze(row.key)}
              >
                Show now
              </Button>
            </li>
          ))}
      </ul>
    </section>
  );
}

interface SnoozedRow {
  key: string;
  title: string;
  place: { title: string; address: string } | undefined;
}

function rowOfItem(item: InboxItem): SnoozedRow {
  const { run, plan, planTitle, node, ask } = item;
  const names = [node && displayTitle(node.title), displayTitle(planTitle)];
  const address = paths.blueprintAt(plan, { run, node: node?.id });
  const place = { title: names.filter(Boolean).join(" in "), address };
  return { key: inboxItemKey(item), title: describeAsk(ask), place };
}

function rowOfRequest(request: RequestView): SnoozedRow {
  const title = `${describeOperation(request)}, ${describeRequester(request)}`;
  return { key: requestKey(request), title, place: undefined };
}
