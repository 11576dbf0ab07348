import { type ReactElement, useCallback, useMemo, useRef, useState } from "react";
import type { InboxItem } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { PageHeader } from "@/app/PageHeader";
import { ErrorState } from "@/components/ErrorState";
import { SplitPanels } from "@/components/SplitPanels";
import { useIsWide } from "@/components/useWindowFits";
import { useUnit } from "@/design/unit";
import { OpenProposals } from "@/proposals/OpenProposals";
import { groupsOf, type InboxGroup, itemKey } from "./ask";
import { EmptyInbox } from "./EmptyInbox";
import { GroupSection } from "./GroupSection";
import { InboxKeys } from "./InboxKeys";
import { InboxSkeleton } from "./InboxSkeleton";
import { ItemBeside } from "./ItemBeside";
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

/** So many of a kind are drawn at once: every node of a large plan may wait for approval. */
const step = 100;

/** Units that the list keeps for itself beside an item. */
const listRoom = 800;

interface ItemsProps {
  items: InboxItem[];
  refuge: () => HTMLElement | null;
  onDone: (words: string) => void;
}

/** The items by kind, in a wide window with what the current one is about beside them. Also drawn without any, so that the focus of the last one finds its way. */
function Items({ items, refuge, onDone }: ItemsProps): ReactElement {
  const [most, setMost] = useState<Partial<Record<InboxGroup["kind"], number>>>({});
  const groups = useMemo(() => groupsOf(items), [items]);
  const shown = useMemo(
    () =>
      groups.map((group) => ({ ...group, items: group.items.slice(0, most[group.kind] ?? step) })),
    [groups, most],
  );
  const keys = useMemo(() => shown.flatMap((group) => group.items.map(itemKey)), [shown]);
  const focus = useItemFocus(keys, refuge);
  const isWide = useIsWide();
  const unit = useUnit();

  const { data: proposals = [] } = useOperation("proposals_list", {
    ...{ open: true, plan: null, limit: step },
  });
  if (items.length === 0 && proposals.length === 0) return <EmptyInbox />;
  const beside = isWide ? items.find((item) => itemKey(item) === focus.current) : undefined;
  const list = (
    <div {...(beside && { "data-beside": "" })} className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto flex max-w-215 flex-col gap-5 px-4 py-4">
        <OpenProposals />
        {shown.map((group, at) => (
          <GroupSection
            key={group.kind}
            group={group}
            total={groups[at]?.items.length ?? 0}
            itemProps={focus.item}
            onDone={onDone}
            onMore={() => setMost({ ...most, [group.kind]: group.items.length + step })}
          />
        ))}
      </div>
    </div>
  );
  return (
    <>
      <SplitPanels
        id="inbox.beside"
        orientation="horizontal"
        label="Resize what is beside the list"
        mainMinimum={480}
        sideMinimum={400}
        sideSize={Math.min(1_100, window.innerWidth / unit - listRoom)}
        main={list}
        side={beside && <ItemBeside item={beside} />}
      />
      <InboxKeys />
    </>
  );
}
