import { Anchor, Pin } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { formatCount } from "@/components/formatCount";
import { usePage } from "@/plan/blueprintContext";
import type { CardData } from "./toFlow";

/** Badges on the upper border of a card: pins and a fixed position. */
export function CardBadges({ data }: { data: CardData }): ReactElement | null {
  const isPinned = usePage((state) => state.pinnedOutputs.has(data.node.id));
  const output = outputBadge(data.usesPinnedOutput, isPinned);
  if (!data.node.keepsPlace && data.pinned === 0 && !output) return null;
  const handoffs = formatCount(data.pinned, "pinned handoff");
  return (
    <span className="ml-auto flex shrink-0 gap-1">
      {output && (
        <Badge title={output.title} className="gap-0.5 pr-1 text-accent-fg">
          <Pin aria-hidden="true" className="size-2.5" />
          <span className="text-11 leading-[14px]">{output.label}</span>
        </Badge>
      )}
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

/** What the card says about a pinned output: of the shown run first, then of the blueprint. */
function outputBadge(isUsed: boolean, isPinned: boolean) {
  if (isUsed) return { label: "Pinned", title: "Used its pinned output in this run" };
  if (isPinned)
    return { label: "Output pinned", title: "Runs with pinned outputs don't run this node" };
  return undefined;
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
