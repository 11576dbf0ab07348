import { type ReactElement, useMemo } from "react";
import { useEditor } from "@/blueprint/editor";
import { looksOf } from "./looks";
import { Overview } from "./Overview";
import { runsByNode } from "./toFlow";
import type { Stage } from "./useStage";

/** The drawing in the colours of the run; whoever looks from nearby does not pay for them. */
export function Drawing({ scene, selected, lifted }: Stage["drawn"]): ReactElement {
  const run = useEditor((state) => state.run);
  const { nodes, lines } = scene;
  const looks = useMemo(() => looksOf({ nodes, lines }, runsByNode(run)), [nodes, lines, run]);
  return <Overview scene={scene} looks={looks} selected={selected} lifted={lifted} />;
}
