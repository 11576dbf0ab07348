import type { ReactElement } from "react";
import { StateIcon } from "@/components/StateIcon";
import { chooseByNumber } from "./answerKeys";
import { PendingItemActions } from "./PendingItemActions";
import { PendingItemDetail } from "./PendingItemDetail";
import { describeAsk, type PendingItem } from "./pendingItem";

export interface NodePendingItemProps {
  item: PendingItem;
  /** The path to the node when it belongs to a child run: "Deploy › Ask". */
  path?: string;
}

/** The question of the selected node with buttons to answer, shown at the top of the inspector. */
export function NodePendingItem({ item, path }: NodePendingItemProps): ReactElement {
  const { ask } = item;
  return (
    <section
      onKeyDown={(event) => {
        if (chooseByNumber(event, event.currentTarget)) event.preventDefault();
      }}
      aria-label={path === undefined ? "Question from this node" : `Question from ${path}`}
      className="flex shrink-0 flex-col gap-2 border-b bg-state-waiting-tint px-4 py-2.5"
    >
      {path !== undefined && (
        <p dir="auto" className="break-words text-12 text-muted">
          {path}
        </p>
      )}
      {ask.kind !== "interrupted" && (
        <p className="flex items-start gap-2 font-medium">
          <span className="mt-0.5 flex">
            <StateIcon state="waiting" waitingFor="person" decorative />
          </span>
          <span dir="auto" className="min-w-0 select-text break-words">
            {describeAsk(ask)}
          </span>
        </p>
      )}
      <PendingItemDetail item={item} />
      <PendingItemActions item={item} />
    </section>
  );
}
