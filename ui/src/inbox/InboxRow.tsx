import { type ComponentProps, Fragment, type ReactElement } from "react";
import { Link } from "react-router";
import type { InboxItem } from "@/api/bindings";
import { useKeysFor } from "@/commands/keyBindings";
import { RelativeTime } from "@/components/RelativeTime";
import { StateIcon } from "@/components/StateIcon";
import { PendingItemActions } from "@/pending/PendingItemActions";
import { PendingItemDetail } from "@/pending/PendingItemDetail";
import { describeAsk, inboxItemKey, pendingItemFromInbox } from "@/pending/pendingItem";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import { SnoozeMenu } from "./SnoozeMenu";

export interface InboxRowProps extends ComponentProps<"article"> {
  item: InboxItem;
  onDone: (words: string) => void;
}

/** One item of the Inbox: what is asked, by which node, since when, and the buttons to answer. */
export function InboxRow({ item, onDone, ...rest }: InboxRowProps): ReactElement {
  const pendingItem = pendingItemFromInbox(item);
  const words = describeAsk(item.ask);
  return (
    <article
      {...rest}
      aria-label={`${words} ${formatLocation(item)}`}
      className="group grid grid-cols-[--spacing(4)_minmax(0,1fr)_auto] gap-x-2.5 rounded-control px-3 py-2.5 hover:bg-raised in-data-beside:data-[current=true]:bg-hover in-data-beside:data-[current=true]:inset-shadow-chosen focus-visible:bg-raised focus-visible:-outline-offset-2"
    >
      <span className="flex h-5 items-center">
        {item.ask.kind === "interrupted" ? (
          <StateIcon state="interrupted" decorative />
        ) : (
          <StateIcon state="waiting" waitingFor="person" decorative />
        )}
      </span>
      <p
        dir="auto"
        title={words}
        className="line-clamp-3 min-w-0 group-focus-within:line-clamp-none group-focus:line-clamp-none select-text break-words font-medium"
      >
        {words}
      </p>
      <span className="-mt-0.5 flex h-6 items-center gap-1 text-12 text-faint leading-5!">
        <RelativeTime at={item.since} />
        <SnoozeMenu id={inboxItemKey(item)} />
      </span>
      <div className="col-start-2 col-end-4 flex min-w-0 flex-col gap-2">
        <Place item={item} />
        <PendingItemDetail item={pendingItem} />
        <PendingItemActions item={pendingItem} onDone={onDone} />
      </div>
    </article>
  );
}

/** Links to the node and its blueprint, including the nodes that contain it as a sub-plan. */
function Place({ item: { run, plan, planTitle, node, path, ask } }: { item: InboxItem }) {
  const place =
    ask.kind === "plan_review"
      ? paths.blueprint(plan)
      : paths.blueprintAt(plan, { run, node: node?.id });
  const keys = useKeysFor("inbox_show");
  const look =
    "min-w-0 truncate rounded-small underline-offset-2 hover:text-fg hover:underline focus-visible:text-fg";
  return (
    <p className="flex min-w-0 flex-wrap items-baseline gap-x-1 text-12 text-muted">
      {path.map((step, at) => (
        <Fragment key={step.run}>
          {at === 0 && (
            <Link to={paths.blueprint(step.plan)} dir="auto" className={look}>
              {displayTitle(step.planTitle)}
            </Link>
          )}
          <span aria-hidden="true" className="text-faint">
            ›
          </span>
          <Link
            to={paths.blueprintAt(step.plan, { run: step.run, node: step.node })}
            dir="auto"
            title={step.title}
            className={look}
          >
            {displayTitle(step.title)}
          </Link>
          {at === path.length - 1 && (
            <span aria-hidden="true" className="text-faint">
              ›
            </span>
          )}
        </Fragment>
      ))}
      {node && (
        <Link
          to={place}
          dir="auto"
          title={node.title}
          aria-keyshortcuts={keys}
          data-answer="inbox_show"
          className={look}
        >
          {displayTitle(node.title)}
        </Link>
      )}
      {/* If both names are long, the line breaks before "in". */}
      <span className="flex min-w-0 items-baseline gap-x-1">
        {node && (
          <span aria-hidden="true" className="text-faint">
            in
          </span>
        )}
        <Link
          to={node ? paths.blueprint(plan) : place}
          dir="auto"
          title={planTitle}
          {...(!node && { "aria-keyshortcuts": keys, "data-answer": "inbox_show" })}
          className={look}
        >
          {displayTitle(planTitle)}
        </Link>
      </span>
    </p>
  );
}

function formatLocation({ node, planTitle, path }: InboxItem): string {
  const plan = displayTitle(planTitle);
  const place = node ? `${displayTitle(node.title)} in ${plan}` : plan;
  const [first] = path;
  if (first === undefined) return place;
  const steps = path.map(({ title }) => displayTitle(title));
  return `${place}, for ${steps.join(" › ")} in ${displayTitle(first.planTitle)}`;
}
