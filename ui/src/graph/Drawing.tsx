import { type ReactElement, useMemo } from "react";
import { useEditor } from "@/plan/editor";
import { useCritical } from "@/plan/usePace";
import { runsByNode } from "@/run/runsByNode";
import { useTextSize } from "@/shell/textSize";
import type { Frame } from "./frames";
import { looksOf } from "./looks";
import { Overview } from "./Overview";
import { useMarks } from "./useMarks";
import type { Stage } from "./useStage";

export type DrawingProps = Stage["drawn"] & { frames: readonly Frame[] };

/** The drawing in the colors of the run; whoever looks from nearby does not pay for them. */
export function Drawing({ selected, ...drawn }: DrawingProps): ReactElement {
  const run = useEditor((state) => state.run);
  const critical = useCritical();
  const { nodes, lines } = drawn.scene;
  const looks = useMemo(
    () => looksOf({ nodes, lines }, runsByNode(run), critical),
    [nodes, lines, run, critical],
  );
  const marks = useMarks(drawn.scene, selected, critical);
  const { size } = useTextSize();
  return <Overview {...drawn} looks={looks} marks={marks} letters={size / 100} />;
}
