import { useMemo } from "react";
import type { Group, NodeId, Position } from "@/api/bindings";
import { type Frame, framesOf } from "./frames";
import type { Scene } from "./scene";

/** The frames around groups, at rest and as they are while something is dragged. */
export function useFrames(
  groups: readonly Group[],
  resting: Scene,
  scene: Scene,
  moving: ReadonlyMap<NodeId, Position>,
): readonly Frame[] {
  const still = useRestingFrames(groups, resting);
  return useMemo(
    () => (moving.size === 0 ? still : framesOf(groups, resting, scene, moving)),
    [still, groups, resting, scene, moving],
  );
}

const nowhere: ReadonlyMap<NodeId, Position> = new Map();

export function useRestingFrames(groups: readonly Group[], resting: Scene): readonly Frame[] {
  return useMemo(() => framesOf(groups, resting, resting, nowhere), [groups, resting]);
}
