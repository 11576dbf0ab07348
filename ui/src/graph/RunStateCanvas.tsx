import { type ReactElement, useMemo } from "react";
import { useEditor } from "@/plan/editor";
import { useCriticalPath } from "@/plan/usePlanTiming";
import { runsByNode } from "@/run/runsByNode";
import { useTextSize } from "@/shell/textSize";
import { computeAppearances } from "./appearances";
import type { Frame } from "./frames";
import { PlanCanvas } from "./PlanCanvas";
import { useCanvasMarks } from "./useCanvasMarks";
import type { RenderSplit } from "./useRenderSplit";

export type RunStateCanvasProps = RenderSplit["canvas"] & { frames: readonly Frame[] };

/**
 * The painted plan in the colors of the run. Mounted only when zoomed out, so that a close view
 * doesn't pay for it.
 */
export function RunStateCanvas({ selected, ...canvas }: RunStateCanvasProps): ReactElement {
  const run = useEditor((state) => state.run);
  const critical = useCriticalPath();
  const { nodes, lines } = canvas.scene;
  const appearances = useMemo(
    () => computeAppearances({ nodes, lines }, runsByNode(run), critical),
    [nodes, lines, run, critical],
  );
  const marks = useCanvasMarks(canvas.scene, selected, critical);
  const { size } = useTextSize();
  return <PlanCanvas {...canvas} appearances={appearances} marks={marks} textScale={size / 100} />;
}
