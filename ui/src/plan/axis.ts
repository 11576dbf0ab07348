/** The keys of a rectangle along a direction and across it, for geometry that is the same in both. */
export interface Axis {
  at: "x" | "y";
  size: "width" | "height";
  crossAt: "x" | "y";
  crossSize: "width" | "height";
}

export const acrossAxis: Axis = { at: "x", size: "width", crossAt: "y", crossSize: "height" };
export const downAxis: Axis = { at: "y", size: "height", crossAt: "x", crossSize: "width" };
