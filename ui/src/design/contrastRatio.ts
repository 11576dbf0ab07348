/**
 * Returns the contrast of two opaque colors in `#rrggbb` form, from 1 to 21, as defined by WCAG
 * 2.2.
 */
export function contrastRatio(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16)));
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/**
 * Returns the wanted text color if it is readable on an opaque color, else black or white,
 * whichever is more readable.
 */
export function readableTextOn(ground: string, wanted?: string): string {
  if (wanted !== undefined && contrastRatio(wanted, ground) >= 4.5) return wanted;
  return contrastRatio("#000000", ground) > contrastRatio("#ffffff", ground)
    ? "#000000"
    : "#ffffff";
}
