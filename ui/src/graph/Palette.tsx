import { ChevronsLeft, Plus } from "lucide-react";
import type { ReactElement } from "react";
import { createPortal } from "react-dom";
import { useKeysFor } from "@/commands/keyBindings";
import { IconButton } from "@/components/IconButton";
import { Tooltip } from "@/components/Tooltip";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { KindIcon } from "@/plan/KindIcon";
import type { KindName } from "@/plan/kinds";
import { kindGroups } from "@/plan/nodeKinds";
import { KindList } from "./KindList";
import { KindTile } from "./KindTile";
import { type PaletteDrag, usePaletteDrag } from "./usePaletteDrag";

/**
 * The node kinds at the left edge of the canvas. Drag one to a place, or click it to add a node
 * near the selection.
 */
export function Palette(): ReactElement {
  const { page, edit } = useBlueprint();
  const open = usePage((state) => state.paletteOpen);
  const addKeys = useKeysFor("add");
  const { drag, begin } = usePaletteDrag();
  const show = (paletteOpen: boolean) => page.setState({ paletteOpen });
  const choose = (kind: KindName) => {
    show(false);
    edit.add(kind);
  };

  return (
    <div className="palette-room">
      <section aria-label="Palette" data-palette="" className="palette">
        {open ? (
          <div className="relative w-60">
            <KindList onChoose={choose} onClose={() => show(false)} onPress={begin} />
            <div className="absolute top-1 right-1">
              <IconButton
                size="small"
                label="Close palette"
                icon={<ChevronsLeft />}
                onClick={() => show(false)}
              />
            </div>
            <p className="border-t px-3 py-1.5 text-11 text-faint">
              Drag onto the canvas, or click to add next to the selection
            </p>
          </div>
        ) : (
          <div className="flex flex-col gap-0.5 p-1">
            <IconButton
              label="Add a node"
              keys={addKeys}
              side="right"
              icon={<Plus />}
              onClick={() => show(true)}
            />
            {kindGroups.map(({ title, offers }) => (
              <fieldset
                key={title}
                aria-label={title}
                className="palette-kinds flex flex-col gap-0.5 border-t pt-0.5"
              >
                {offers.map((offer) => (
                  <Tooltip
                    key={offer.kind}
                    side="right"
                    content={
                      <span className="flex flex-col">
                        <span>{offer.title}: drag or click</span>
                        <span className="text-faint">{offer.note}</span>
                      </span>
                    }
                  >
                    <button
                      type="button"
                      aria-label={`Add ${offer.title.toLowerCase()}`}
                      onPointerDown={(event) => begin(event, offer)}
                      onClick={() => edit.add(offer.kind)}
                      className="flex size-7 cursor-grab touch-none items-center justify-center rounded-control transition-colors hover:bg-hover active:cursor-grabbing active:bg-active"
                    >
                      <KindIcon kind={offer.kind} />
                    </button>
                  </Tooltip>
                ))}
              </fieldset>
            ))}
          </div>
        )}
        {drag && createPortal(<Ghost {...drag} />, document.body)}
      </section>
    </div>
  );
}

function Ghost({ offer, screen }: PaletteDrag): ReactElement {
  return (
    <div
      aria-hidden="true"
      style={{ transform: `translate(${screen.x - 110}px,${screen.y - 32}px)` }}
      className="pointer-events-none fixed top-0 left-0 z-50 flex h-16 w-[220px] items-center gap-2 rounded-card border border-accent bg-surface pl-3 opacity-90 shadow-float"
    >
      <KindTile kind={offer.kind} />
      <span className="font-medium">{offer.title}</span>
    </div>
  );
}
