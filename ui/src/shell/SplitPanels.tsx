import { type ReactElement, type ReactNode, useState } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { classes } from "@/components/classes";
import { useTextScale } from "@/design/textScale";
import { layoutStorage } from "./appState";

export interface SplitPanelsProps {
  /** The key under which the sizes are stored in the app state. */
  id: string;
  orientation: "horizontal" | "vertical";
  /** The area that stays when the side panel closes. */
  main: ReactNode;
  /** The panel at the right or the bottom; undefined when it is closed. */
  side: ReactNode | undefined;
  /** The separator's label for screen readers, such as "Resize inspector". */
  label: string;
  /** The default size of the side panel, in units of the text scale; at most half of the window. */
  sideSize?: number;
  /** The largest share of the window that the side panel takes; by default it has no limit. */
  sideShare?: number;
  /**
   * The minimum size of the side panel, in units of the text scale, as long as both areas have
   * room.
   */
  sideMinimum?: number;
  mainMinimum?: number;
}

/**
 * A main area and a panel beside or below it, with a separator that can be dragged or moved with
 * the arrow keys.
 */
export function SplitPanels({
  id,
  orientation,
  main,
  side,
  label,
  sideSize = 360,
  sideShare,
  sideMinimum = 240,
  mainMinimum = 320,
}: SplitPanelsProps): ReactElement {
  const open = side !== undefined && side !== null && side !== false;
  const arrives = useWasFalse(open);
  const unit = useTextScale();
  const longest = orientation === "horizontal" ? window.innerWidth : window.innerHeight;
  const layout = useDefaultLayout({
    id: `split.${id}`,
    storage: layoutStorage,
    panelIds: open ? ["main", "side"] : ["main"],
  });

  return (
    <Group
      id={id}
      orientation={orientation}
      defaultLayout={layout.defaultLayout}
      onLayoutChanged={layout.onLayoutChanged}
      className="min-h-0 min-w-0 flex-1"
    >
      <Panel
        id="main"
        minSize={Math.min(mainMinimum * unit, longest / 2)}
        className="flex min-h-0 min-w-0 flex-col"
      >
        {main}
      </Panel>
      {open && (
        <>
          <Separator
            aria-label={label}
            className={classes(
              "relative bg-line transition-colors hover:bg-accent focus-visible:bg-accent focus-visible:outline-none data-[separator=active]:bg-accent",
              orientation === "horizontal" ? "w-px" : "h-px",
            )}
          />
          <Panel
            id="side"
            defaultSize={Math.min(sideSize * unit, longest * (sideShare ?? 1 / 2))}
            {...(sideShare !== undefined && { maxSize: shareOfWindow(sideShare, orientation) })}
            minSize={Math.min(sideMinimum * unit, longest / 3)}
            groupResizeBehavior="preserve-pixel-size"
            className="flex min-h-0 min-w-0 flex-col overflow-hidden"
          >
            <div
              className={classes(
                "flex min-h-0 min-w-0 flex-1 flex-col",
                arrives && (orientation === "horizontal" ? "animate-arrive" : "animate-arrive-up"),
              )}
            >
              {side}
            </div>
          </Panel>
        </>
      )}
    </Group>
  );
}

/**
 * Whether `value` has been false before: a panel that a person opens arrives from its edge, one that
 * was open with the page is just there.
 */
function useWasFalse(value: boolean): boolean {
  const [was, setWas] = useState(!value);
  if (!value && !was) setWas(true);
  return was;
}

/** In a unit that follows the window, as a panel keeps its size in pixels when the window shrinks. */
function shareOfWindow(share: number, orientation: SplitPanelsProps["orientation"]): string {
  return `${share * 100}${orientation === "horizontal" ? "vw" : "vh"}`;
}
