import { colors } from "@/plan/groups";
import type { CanvasColors } from "./canvasColors";

/** A recorded call of the drawing context, with the styles set at that moment. */
export interface Call {
  name: string;
  fill: unknown;
  stroke: unknown;
  width: number;
  font: unknown;
  /** The text drawn, if any. */
  words: unknown;
}

/**
 * For tests: a context that draws nothing and records every call. Each letter is half as wide as
 * the font size.
 */
export function createRecordingContext(size = { width: 600, height: 1_000 }) {
  const calls: Call[] = [];
  const set: Record<string, unknown> = { canvas: size };
  const measureText = (text: string) => ({
    width: text.length * 0.5 * Number.parseFloat(String(set.font ?? "").split(" ")[1] ?? "0"),
  });
  const remember =
    (name: string) =>
    (...given: unknown[]) => {
      calls.push({
        name,
        fill: set.fillStyle,
        stroke: set.strokeStyle,
        width: Number(set.lineWidth),
        font: set.font,
        words: typeof given[0] === "string" ? given[0] : undefined,
      });
    };
  const context = new Proxy(set, {
    get: (own, name: string) =>
      name === "measureText" ? measureText : (own[name] ?? remember(name)),
  });
  return { calls, context: context as unknown as CanvasRenderingContext2D };
}

const tintOf = (color: string) =>
  Object.fromEntries(
    ["ground", "border", "paper", "edge", "block"].map((part) => [part, `${color} ${part}`]),
  );

const tints = Object.fromEntries(colors.map((color) => [color, tintOf(color)]));

/** For tests: each color has its own name as its value. */
export const namedCanvasColors = new Proxy(
  {},
  { get: (_, name) => (name === "tints" ? tints : name) },
) as CanvasColors;
