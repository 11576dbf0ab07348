import type { Rectangle } from "@/plan/geometry";
import type { Appearances } from "./appearances";
import type { Frame as GroupFrame } from "./frames";
import type { Marks } from "./marks";
import type { Scene } from "./scene";

/** Everything that a painted plan shows. */
export interface PaintInput {
  scene: Scene;
  appearances: Appearances;
  marks: Marks;
  /** Nodes that are currently HTML elements. Neither they nor their lines are painted. */
  skippedNodes: ReadonlySet<number>;
  /** Group frames, painted below everything else. */
  frames: readonly GroupFrame[];
  /** The only lines to paint when nodes are HTML elements. When undefined, everything is painted. */
  onlyLines: readonly number[] | undefined;
  /** Text size relative to the default. */
  textScale: number;
}

/** The visible part of the plan, and its scale in CSS pixels per plan unit. */
export interface PaintRegion {
  part: Rectangle;
  zoom: number;
  /** Canvas pixels per CSS pixel. */
  density: number;
}
