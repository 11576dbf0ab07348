import { Anchor, Pin } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import type { CardData } from "./toFlow";

/** What was settled about a node, on the upper border of its card: where it stands, and what it receives. */
export function CardBadges({ data }: { data: CardData }): ReactElement | null {
  if (!data.node.keepsPlace && data.pinned === 0) return null;
  const handoffs = data.pinned === 1 ? "a handoff" : `${data.pinned} handoffs`;
  return (
    <span className="ml-auto flex shrink-0 gap-1">
      {data.pinned > 0 && (
        <Badge title={`Receives ${handoffs} as pinned`} className="text-accent-fg">
          <Pin aria-hidden="true" className="size-2.5" />
        </Badge>
      )}
      {data.node.keepsPlace && (
        <Badge title="Stays in place when tidying" className="text-muted">
          <Anchor aria-hidden="true" className="size-2.5" />
        </Badge>
      )}
    </span>
  );
}

function Badge(props: { title: string; className: string; children: ReactNode }): ReactElement {
  return (
    <span
      title={props.title}
      className={`flex h-4 items-center rounded-small border bg-surface px-0.5 ${props.className}`}
    >
      {props.children}
    </span>
  );
}
