import { useStore } from "@xyflow/react";
import { LassoSelect, Map as MapIcon, Maximize, Minus, Plus, WandSparkles } from "lucide-react";
import type { ReactElement } from "react";
import { useKeysFor } from "@/commands/keyBindings";
import { ToolButton } from "@/commands/ToolButton";
import { Tooltip } from "@/components/Tooltip";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { showsMinimap } from "@/plan/page";

const zoomStep = 1.25;

/** The toolbar in the lower left corner: zoom, lasso, fit, tidy and minimap. */
export function CanvasTools(): ReactElement {
  const { page, edit } = useBlueprint();
  const percent = useStore((state) => formatPercent(state.transform[2]));
  const nodes = useEditor((state) => state.plan.nodes.length);
  const hasMap = usePage((state) => showsMinimap(state, nodes));
  const lasso = usePage((state) => state.lasso);
  const canvas = () => page.getState().canvas;

  return (
    <div
      role="toolbar"
      aria-label="Graph view"
      className="absolute bottom-3 left-3 z-10 flex items-center rounded-card border bg-overlay p-0.5 shadow-float"
    >
      <ToolButton
        command="zoom_out"
        side="top"
        label="Zoom out"
        icon={<Minus />}
        onClick={() => canvas()?.zoomBy(1 / zoomStep)}
      />
      <Tooltip content="Zoom to 100%" keys={useKeysFor("zoom_actual")} side="top">
        <button
          type="button"
          data-zoom-actual
          onClick={() => canvas()?.zoomTo(1)}
          className="h-6 w-12 rounded-control text-center text-12 text-muted tabular-nums hover:bg-hover hover:text-fg active:bg-active"
        >
          {percent}
        </button>
      </Tooltip>
      <ToolButton
        command="zoom_in"
        side="top"
        label="Zoom in"
        icon={<Plus />}
        onClick={() => canvas()?.zoomBy(zoomStep)}
      />
      <span className="mx-0.5 h-4 w-px bg-line" />
      <ToolButton
        command="lasso"
        side="top"
        label="Select with a lasso"
        icon={<LassoSelect />}
        pressed={lasso}
        onClick={() => page.setState({ lasso: !lasso })}
      />
      <ToolButton
        command="fit"
        side="top"
        label="Zoom to fit"
        icon={<Maximize />}
        onClick={() => canvas()?.fit()}
      />
      <ToolButton
        command="tidy"
        side="top"
        label="Tidy layout"
        icon={<WandSparkles />}
        onClick={() => void edit.tidy()}
      />
      <ToolButton
        command="toggle_map"
        side="top"
        label="Minimap"
        icon={<MapIcon />}
        pressed={hasMap}
        onClick={() => page.setState({ mapOpen: !hasMap })}
      />
    </div>
  );
}

/** Formats the zoom. A very large plan may be shown at less than one percent. */
function formatPercent(zoom: number): string {
  const percent = zoom * 100;
  return `${percent < 1 ? percent.toFixed(1) : Math.round(percent)}%`;
}
