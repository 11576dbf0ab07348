import type { TerminalStyle } from "@/api/bindings";
import {
  paletteColor,
  type TerminalStyleProps,
  terminalStyleProps,
} from "@/components/terminalStyle";
import { readableTextOn } from "@/design/contrastRatio";

/**
 * How a part of a row looks. Text on a background that doesn't depend on the theme gets a color
 * that is readable on it, because the theme's color was chosen for the canvas.
 */
export function terminalLook(style: TerminalStyle): TerminalStyleProps {
  const look = terminalStyleProps(style);
  const { foreground, background, inverse = false } = style;
  const [text, ground] = inverse ? [background, foreground] : [foreground, background];
  if (!ground || !isFixed(ground)) return look;
  const wanted = text && isFixed(text) ? paletteColor(text) : undefined;
  const color = readableTextOn(paletteColor(ground), wanted);
  return { ...look, style: { ...look.style, color } };
}

function isFixed(color: NonNullable<TerminalStyle["foreground"]>): boolean {
  return color.kind === "rgb" || color.index >= 16;
}
