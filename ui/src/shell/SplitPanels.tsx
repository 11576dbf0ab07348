import type { ReactElement, ReactNode } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { classes } from "@/components/classes";
import { useTextScale } from "@/design/textScale";
import { layoutStorage } from "./appState";

export interface SplitPanelsProps {
  /** Names the split in the state of the app, so that it comes back as it was left. */
  id: string;
  orientation: "horizontal" | "vertical";
  /** What stays when the side closes. */
  main: ReactNode;
  /** The panel at the right or the bottom; nothing when it is closed. */
  side: ReactNode | undefined;
  /** Names the line between both for screen readers: "Resize inspector". */
  label: string;
  /** Of the side when nobody has moved the line, in units; it never takes more than half of the window by itself. */
  sideSize?: number;
  /** In units, as far as both have room. */
  sideMinimum?: number;
  mainMinimum?: number;
}

/** A main area and one panel beside or below it, with a line between them that can be dragged or moved by arrow keys. */
export function SplitPanels({
  id,
  orientation,
  main,
  side,
  label,
  sideSize = 360,
  sideMinimum = 240,
  mainMinimum = 320,
}: SplitPanelsProps): ReactElement {
  const open = side !== undefined && side !== null && side !== false;
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
            defaultSize={Math.min(sideSize * unit, longest / 2)}
            minSize={Math.min(sideMinimum * unit, longest / 3)}
            groupResizeBehavior="preserve-pixel-size"
            className="flex min-h-0 min-w-0 flex-col"
          >
            {side}
          </Panel>
        </>
      )}
    </Group>
  );
}
