import { colors } from "@/plan/groups";
import type { CanvasColors } from "./canvasColors";

/** What a brush was asked for, and how it was set at that moment. */
export interface Call {
  name: string;
  fill: unknown;
  stroke: unknown;
  width: number;
  font: unknown;
  /** What was written, if anything. */
  words: unknown;
}

/** For tests: a brush that draws nothing and remembers everything. A letter is half as wide as it is high. */
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

const tintOf = (colour: string) =>
  Object.fromEntries(
    ["ground", "border", "paper", "edge", "block"].map((part) => [part, `${colour} ${part}`]),
  );

const tints = Object.fromEntries(colors.map((colour) => [colour, tintOf(colour)]));

/** For tests: every color is its own name. */
export const namedCanvasColors = new Proxy(
  {},
  { get: (_, name) => (name === "tints" ? tints : name) },
) as CanvasColors;
