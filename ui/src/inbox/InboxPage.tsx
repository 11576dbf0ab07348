import { type ReactElement, useCallback, useMemo, useRef, useState } from "react";
import type { InboxItem } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { PageHeader } from "@/app/PageHeader";
import { ErrorState } from "@/components/ErrorState";
import { groupsOf, itemKey } from "./ask";
import { EmptyInbox } from "./EmptyInbox";
import { InboxKeys } from "./InboxKeys";
import { InboxRow } from "./InboxRow";
import { InboxSkeleton } from "./InboxSkeleton";
import { useItemFocus } from "./useItemFocus";

/** Everything that waits for the person, over all runs, answered on the spot. */
export function InboxPage(): ReactElement {
  const inbox = useOperation("inbox_list", {});
  const [told, tell] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  const refuge = useCallback(() => heading.current, []);

  return (
    <>
      <PageHeader
        title="Inbox"
        heading={
          <h1 ref={heading} tabIndex={-1} className="font-semibold text-13 outline-none">
            Inbox
          </h1>
        }
        status={
          inbox.data && inbox.data.length > 0 ? (
            <span className="text-12 text-faint tabular-nums">{inbox.data.length} waiting</span>
          ) : undefined
        }
      />
      <p role="status" aria-live="polite" className="sr-only">
        {told}
      </p>
      {inbox.data === undefined ? (
        inbox.error ? (
          <ErrorState
            title="The Inbox could not be read"
            detail={inbox.error.code}
            onRetry={() => void inbox.refetch()}
            retrying={inbox.isFetching}
          >
            {inbox.error.message}
          </ErrorState>
        ) : (
          <InboxSkeleton />
        )
      ) : (
        <Items items={inbox.data} refuge={refuge} onDone={tell} />
      )}
    </>
  );
}

interface ItemsProps {
  items: InboxItem[];
  refuge: () => HTMLElement | null;
  onDone: (words: string) => void;
}

/** The items by kind. Also drawn without any, so that the focus of the last one finds its way. */
function Items({ items, refuge, onDone }: ItemsProps): ReactElement {
  const groups = useMemo(() => groupsOf(items), [items]);
  const keys = useMemo(() => groups.flatMap((group) => group.items.map(itemKey)), [groups]);
  const focus = useItemFocus(keys, refuge);

  if (items.length === 0) return <EmptyInbox />;
  return (
    <>
      <div className="min-h-0 flex-1 overflow-auto">
        <div className="mx-auto flex max-w-[860px] flex-col gap-5 px-4 py-4">
          {groups.map((group) => (
            <section key={group.kind} aria-labelledby={`inbox-${group.kind}`}>
              <h2
                id={`inbox-${group.kind}`}
                className="flex gap-1.5 px-3 pb-1 font-medium text-12 text-muted"
              >
                {group.title} <span className="text-faint tabular-nums">{group.items.length}</span>
              </h2>
              <ul className="flex flex-col divide-y divide-line border-y">
                {group.items.map((item) => {
                  const key = itemKey(item);
                  return (
                    <li
                      key={key}
                      className="py-0.5 [contain-intrinsic-size:auto_72px] [content-visibility:auto]"
                    >
                      <InboxRow item={item} onDone={onDone} {...focus.item(key)} />
                    </li>
                  );
                })}
              </ul>
            </section>
          ))}
        </div>
      </div>
      <InboxKeys />
    </>
  );
}
