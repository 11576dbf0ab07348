import { Command } from "cmdk";
import { type PointerEvent, type ReactElement, useState } from "react";
import type { KindName } from "@/plan/kinds";
import { type KindOffer, kindGroups, kindOffers } from "@/plan/nodeKinds";
import { KindTile } from "./KindTile";

export interface KindListProps {
  /** Whether notes are offered. False where the new node has to be connectable. */
  notes?: boolean;
  /** The label of the list. */
  label?: string;
  onChoose: (kind: KindName) => void;
  onClose: () => void;
  /** Called on pointer down on an item, which may start a drag to the canvas. */
  onPress?: (event: PointerEvent<HTMLElement>, offer: KindOffer) => void;
}

/**
 * The kinds that match a search, the best first. A title wins over a search term: "quest" means the
 * question, although tool calls make requests.
 */
function findKinds(search: string): KindOffer[] {
  const sought = search.toLowerCase().trim();
  const rank = ({ title, keywords }: KindOffer) => {
    const name = title.toLowerCase();
    if (name.startsWith(sought)) return 0;
    if (name.includes(sought)) return 1;
    if (keywords.split(" ").some((keyword) => keyword.startsWith(sought))) return 2;
    return keywords.includes(sought) ? 3 : 4;
  };
  return kindOffers
    .filter((offer) => rank(offer) < 4)
    .sort((one, other) => rank(one) - rank(other));
}

/** A searchable list of node kinds. Enter chooses the highlighted one. */
export function KindList({
  notes = true,
  label = "Add a node",
  onChoose,
  onClose,
  onPress,
}: KindListProps): ReactElement {
  const [search, setSearch] = useState("");
  const isSearch = search.trim() !== "";
  const groups = isSearch ? [{ title: "", offers: findKinds(search) }] : kindGroups;
  return (
    <Command
      label={label}
      loop
      shouldFilter={false}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") onClose();
      }}
    >
      <Command.Input
        // Opened by a key or a double-click, so the user can type right away.
        autoFocus
        placeholder={label}
        value={search}
        onValueChange={setSearch}
        className="h-8 w-full border-b bg-transparent px-3 outline-none placeholder:text-faint"
      />
      <Command.List className="max-h-[min(70vh,520px,calc(var(--radix-popover-content-available-height,100vh)-40px))] overflow-auto p-1">
        <Command.Empty className="px-2 py-1.5 text-12 text-faint">No matches</Command.Empty>
        {groups.map(({ title, offers }) => (
          <Command.Group
            key={title}
            {...(title && { heading: title })}
            className="[&>[cmdk-group-heading]]:px-2 [&>[cmdk-group-heading]]:pt-1.5 [&>[cmdk-group-heading]]:pb-0.5 [&>[cmdk-group-heading]]:text-11 [&>[cmdk-group-heading]]:text-faint"
          >
            {offers
              .filter((offer) => notes || offer.kind !== "note")
              .map((offer) => (
                <Command.Item
                  key={offer.kind}
                  value={offer.title}
                  onSelect={() => onChoose(offer.kind)}
                  onPointerDown={onPress && ((event) => onPress(event, offer))}
                  className="flex cursor-default touch-none items-center gap-2.5 rounded-control px-2 py-1 data-[selected=true]:bg-hover data-[selected=true]:active:bg-active"
                >
                  <KindTile kind={offer.kind} />
                  <span className="flex min-w-0 flex-col">
                    <span className="font-medium leading-4">{offer.title}</span>
                    <span className="truncate text-11 text-faint">{offer.note}</span>
                  </span>
                </Command.Item>
              ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}
