import { useMemo } from "react";
import type { Group, NodeId, Position } from "@/api/bindings";
import { type FrameCast, frameCastOf } from "./frameCast";
import { type Frame, framesOf } from "./frames";
import type { Scene } from "./scene";
import { mostWhole, type Sight } from "./sight";

type Places = ReadonlyMap<NodeId, Position>;

const nowhere: Places = new Map();

/** The frames around groups while nothing moves. */
export function useRestingFrames(groups: readonly Group[], resting: Scene): readonly Frame[] {
  return useMemo(() => framesOf(groups, resting, resting, nowhere), [groups, resting]);
}

/** The frames as they are at this moment: which are elements, and which are drawn. */
export function useFrames(
  still: readonly Frame[],
  resting: Scene,
  scene: Scene,
  moving: Places,
  sight: Sight | undefined,
): FrameCast {
  const seen = resting.nodes.length > mostWhole ? sight : undefined;
  return useMemo(() => {
    const groups = still.map(({ group }) => group);
    const now = moving.size === 0 ? still : framesOf(groups, resting, scene, moving);
    return frameCastOf(still, now, moving, seen);
  }, [still, resting, scene, moving, seen]);
}
