import { Anchor, Pin } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { formatCount } from "@/components/formatCount";
import type { CardData } from "./toFlow";

/** Badges on the upper border of a card: pinned handoffs and a fixed position. */
export function CardBadges({ data }: { data: CardData }): ReactElement | null {
  if (!data.node.keepsPlace && data.pinned === 0) return null;
  const handoffs = formatCount(data.pinned, "pinned handoff");
  return (
    <span className="ml-auto flex shrink-0 gap-1">
      {data.pinned > 0 && (
        <Badge title={`Receives ${handoffs}`} className="text-accent-fg">
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
