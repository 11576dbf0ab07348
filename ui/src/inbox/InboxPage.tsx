import { type ReactElement, useCallback, useMemo, useRef, useState } from "react";
import type { InboxItem, RequestView, RunStateFilter } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ErrorState } from "@/components/ErrorState";
import { formatNumber } from "@/components/formatCount";
import { useIsWideWindow } from "@/components/useWindowSizeMatch";
import { useTextScale } from "@/design/textScale";
import { requestKey } from "@/pending/agentRequest";
import { groupInboxItems, inboxItemKey } from "@/pending/pendingItem";
import { OpenProposals } from "@/planner/OpenProposals";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { SplitPanels } from "@/shell/SplitPanels";
import { EmptyInbox } from "./EmptyInbox";
import { GroupSection } from "./GroupSection";
import { InboxItemPreview, type PreviewItem } from "./InboxItemPreview";
import { InboxKeys } from "./InboxKeys";
import { InboxRow } from "./InboxRow";
import { InboxSkeleton } from "./InboxSkeleton";
import { RequestRow } from "./RequestRow";
import { SnoozedSection } from "./SnoozedSection";
import { UnreadRequests } from "./UnreadRequests";
import { useRequests } from "./useRequests";
import { useRovingFocus } from "./useRovingFocus";
import { useSelectedItemKeys } from "./useSelectedItemKeys";
import { useSnoozes } from "./useSnoozes";
import { useWaitingCount } from "./useWaitingCount";

/** Everything that is waiting for the user in all runs, with buttons to answer. */
export function InboxPage(): ReactElement {
  const inbox = useOperation("inbox_list", {});
  const requests = useOperation("requests_list", {});
  const count = useWaitingCount();
  const [announcement, announce] = useState("");
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
          count > 0 ? (
            <span className="text-12 text-faint tabular-nums">{formatNumber(count)} waiting</span>
          ) : undefined
        }
      />
      <p role="status" aria-live="polite" className="sr-only">
        {announcement}
      </p>
      {inbox.data === undefined ? (
        inbox.error ? (
          <ErrorState
            title="Couldn't load the Inbox"
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
        <Items
          items={inbox.data}
          requests={requests.data ?? (requests.error ? none : undefined)}
          unread={
            requests.error && requests.data === undefined ? (
              <UnreadRequests
                message={requests.error.message}
                retrying={requests.isFetching}
                onRetry={() => void requests.refetch()}
              />
            ) : undefined
          }
          refuge={refuge}
          onDone={announce}
        />
      )}
    </>
  );
}

const none: RequestView[] = [];

/** The states of runs in which a node may wait for a person. */
const openStates: readonly RunStateFilter[] = ["running", "paused", "stalled"];

/** The states of the runs that a group is about. */
function statesOf(kind: InboxItem["ask"]["kind"]): readonly RunStateFilter[] {
  if (kind === "stalled") return ["stalled"];
  return kind === "handler_not_started" ? ["failed"] : openStates;
}

/** Rows rendered per group. In a large plan, every node may wait for approval. */
const step = 100;

/** The width reserved for the list beside the preview, in units. */
const listRoom = 800;

const requestsId = "requests";

interface ItemsProps {
  items: InboxItem[];
  /** `undefined` while loading. */
  requests: RequestView[] | undefined;
  /** Shown instead of the requests when they couldn't be loaded. */
  unread: ReactElement | undefined;
  refuge: () => HTMLElement | null;
  onDone: (words: string) => void;
}

/**
 * The items by kind. A wide window shows a preview of the current one beside them. Also rendered
 * without any items, so that the focus can move to the heading when the last one is removed.
 */
function Items({ items, requests, unread, refuge, onDone }: ItemsProps): ReactElement {
  const [most, setMost] = useState<Partial<Record<string, number>>>({});
  const { shown, keep, dismiss } = useRequests(requests ?? none);
  const { snoozes, isSnoozed } = useSnoozes();
  const asked = useMemo(
    () => shown.filter(({ request }) => !isSnoozed(requestKey(request))),
    [shown, isSnoozed],
  );
  const groups = useMemo(
    () => groupInboxItems(items.filter((item) => !isSnoozed(inboxItemKey(item)))),
    [items, isSnoozed],
  );
  const drawn = useMemo(
    () =>
      groups.map((group) => ({ ...group, items: group.items.slice(0, most[group.kind] ?? step) })),
    [groups, most],
  );
  const drawnRequests = useMemo(() => asked.slice(0, most[requestsId] ?? step), [asked, most]);
  const keys = useMemo(
    () => [
      ...drawn.flatMap((group) => group.items.map(inboxItemKey)),
      ...drawnRequests.map(({ request }) => requestKey(request)),
    ],
    [drawn, drawnRequests],
  );
  const focus = useRovingFocus(keys, refuge);
  const scroller = useRef<HTMLDivElement>(null);
  useSelectedItemKeys(scroller);
  const isWide = useIsWideWindow();
  const unit = useTextScale();

  const { data: proposals = [] } = useOperation("proposals_list", {
    ...{ open: true, plan: null, limit: step },
  });
  if (items.length === 0 && shown.length === 0 && proposals.length === 0 && !unread)
    return requests === undefined ? <InboxSkeleton /> : <EmptyInbox />;

  const current =
    items.find((item) => inboxItemKey(item) === focus.current) ??
    previewItemOf(asked.find(({ request }) => requestKey(request) === focus.current)?.request);
  const beside = isWide ? current : undefined;
  const list = (
    <div
      ref={scroller}
      {...(beside && { "data-beside": "" })}
      className="min-h-0 flex-1 overflow-auto"
    >
      <div className="mx-auto flex max-w-215 flex-col gap-5 px-4 py-4">
        <OpenProposals />
        {drawn.map(({ kind, title, items: rows }, at) => (
          <GroupSection
            key={kind}
            id={kind}
            title={title}
            to={paths.runsWhere({ states: statesOf(kind) })}
            total={groups[at]?.items.length ?? 0}
            onMore={() => setMost({ ...most, [kind]: rows.length + step })}
          >
            {rows.map((item) => {
              const key = inboxItemKey(item);
              return <InboxRow key={key} item={item} onDone={onDone} {...focus.item(key)} />;
            })}
          </GroupSection>
        ))}
        {asked.length > 0 && (
          <GroupSection
            id={requestsId}
            title="Agent requests"
            note="These calls need your approval. If you allow one, it runs on your behalf."
            total={asked.length}
            onMore={() => setMost({ ...most, [requestsId]: drawnRequests.length + step })}
          >
            {drawnRequests.map((one) => {
              const key = requestKey(one.request);
              const { id } = one.request;
              return (
                <RequestRow
                  key={key}
                  {...one}
                  onDone={(words) => {
                    dismiss(id);
                    onDone(words);
                  }}
                  onFailed={() => keep(one.request)}
                  onDismiss={() => dismiss(id)}
                  {...focus.item(key)}
                />
              );
            })}
          </GroupSection>
        )}
        {unread}
        <SnoozedSection
          items={items.filter((item) => isSnoozed(inboxItemKey(item)))}
          requests={shown
            .map(({ request }) => request)
            .filter((each) => isSnoozed(requestKey(each)))}
          snoozes={snoozes}
        />
      </div>
    </div>
  );
  return (
    <>
      <SplitPanels
        id="inbox.beside"
        orientation="horizontal"
        label="Resize preview"
        mainMinimum={480}
        sideMinimum={400}
        sideSize={Math.min(1_100, window.innerWidth / unit - listRoom)}
        main={list}
        side={beside && <InboxItemPreview item={beside} />}
      />
      <InboxKeys />
    </>
  );
}

/** Returns the session that made the request for the preview. Agents outside Baton have none. */
function previewItemOf(request: RequestView | undefined): PreviewItem | undefined {
  if (!request?.of) return undefined;
  const { run, plan, planTitle, node } = request.of;
  return { run, plan, planTitle, node: { id: node } };
}
