import { useMemo } from "react";
import type { Group, NodeId, Position } from "@/api/bindings";
import { type Frame, framesOf } from "./frames";
import { type RenderedFrames, selectRenderedFrames } from "./renderedFrames";
import { maxNodesWithoutCulling, type RenderWindow } from "./renderWindow";
import type { Scene } from "./scene";

type Places = ReadonlyMap<NodeId, Position>;

const nowhere: Places = new Map();

/** The group frames while nothing moves. */
export function useRestingFrames(groups: readonly Group[], resting: Scene): readonly Frame[] {
  return useMemo(() => framesOf(groups, resting, resting, nowhere), [groups, resting]);
}

/** The group frames at this moment, split into rendered and painted ones. */
export function useFrames(
  still: readonly Frame[],
  resting: Scene,
  scene: Scene,
  moving: Places,
  renderWindow: RenderWindow | undefined,
): RenderedFrames {
  const seen = resting.nodes.length > maxNodesWithoutCulling ? renderWindow : undefined;
  return useMemo(() => {
    const groups = still.map(({ group }) => group);
    const now = moving.size === 0 ? still : framesOf(groups, resting, scene, moving);
    return selectRenderedFrames(still, now, moving, seen);
  }, [still, resting, scene, moving, seen]);
}
