import type { DiffLine } from "./diffRows";

interface DiffLineLook {
  /** Shown in addition to the color. */
  sign: string;
  tint: string;
  signHue: string;
}

/** How the lines of a diff look. */
export const diffLineLooks: Record<DiffLine["kind"], DiffLineLook> = {
  same: { sign: " ", tint: "", signHue: "" },
  added: { sign: "+", tint: "bg-state-done-tint", signHue: "text-state-done" },
  removed: { sign: "−", tint: "bg-state-failed-tint", signHue: "text-state-failed" },
};
