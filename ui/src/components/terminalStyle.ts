import type { CSSProperties } from "react";
import type { TerminalColor, TerminalStyle } from "@/api/bindings";
import { readableTextOn } from "@/design/contrastRatio";
import { classes } from "./classes";

/** The props of an element whose text looks as a program asked for. */
export interface TerminalStyleProps {
  className: string;
  style?: CSSProperties;
}

/** How much of a palette color a background has. More would make text on it unreadable. */
const backgroundShare = "22%";

/** Returns the look of a part of a terminal's output. Colors of the palette follow the theme. */
export function terminalStyleProps(style: TerminalStyle): TerminalStyleProps {
  const { foreground, background, dim = false, inverse = false } = style;
  const className = classes(
    style.bold && "font-semibold",
    style.italic && "italic",
    dim && "opacity-80",
    dim && !foreground && !inverse && "text-muted",
    style.underline && style.strikethrough && "[text-decoration-line:underline_line-through]",
    style.underline && !style.strikethrough && "underline",
    style.strikethrough && !style.underline && "line-through",
  );
  const colors = inverse
    ? inverseColors(foreground, background)
    : normalColors(foreground, background);
  return Object.keys(colors).length === 0 ? { className } : { className, style: colors };
}

function normalColors(text?: TerminalColor, ground?: TerminalColor): CSSProperties {
  if (!ground) return text ? { color: paletteColor(text) } : {};
  const own = paletteColor(ground);
  if (isFixed(ground)) return { color: readableOn(ground, text), backgroundColor: own };
  // The theme's text is readable on this mix, which its other colors may not be.
  const mixed = `color-mix(in srgb, ${own} ${backgroundShare}, var(--canvas))`;
  return { ...(text && { color: "var(--fg)" }), backgroundColor: mixed };
}

/** The text is the ground. Colors of the palette are readable beside the canvas, so also below it. */
function inverseColors(ground?: TerminalColor, text?: TerminalColor): CSSProperties {
  if (!ground) return { color: "var(--canvas)", backgroundColor: "var(--fg)" };
  const color = isFixed(ground) ? readableOn(ground, text) : "var(--canvas)";
  return { color, backgroundColor: paletteColor(ground) };
}

/** The wanted text on a ground that doesn't depend on the theme, or black or white. */
function readableOn(ground: TerminalColor, text: TerminalColor | undefined): string {
  const wanted = text && isFixed(text) ? paletteColor(text) : undefined;
  return readableTextOn(paletteColor(ground), wanted);
}

/** Whether a color is the same in every theme. */
function isFixed(color: TerminalColor): boolean {
  return color.kind === "rgb" || color.index >= 16;
}

/**
 * Returns a terminal color as a CSS color: the first 16 by the theme's variables, the other 240 of
 * the palette by their definition, and true colors as they are.
 */
export function paletteColor(color: TerminalColor): string {
  if (color.kind === "rgb") return hex(color.rgb);
  const { index } = color;
  if (index < 16) return `var(--terminal-${index})`;
  if (index >= 232) {
    const gray = 8 + 10 * (index - 232);
    return hex([gray, gray, gray]);
  }
  const cube = index - 16;
  return hex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(cubeLevel));
}

/** The six levels of a channel of the color cube: 0, 95, 135, 175, 215, 255. */
function cubeLevel(step: number): number {
  return step === 0 ? 0 : 55 + 40 * step;
}

function hex(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
