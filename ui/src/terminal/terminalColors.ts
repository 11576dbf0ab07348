import type { ITheme } from "@xterm/xterm";

/** The names of the 16 palette colors, in the order of their numbers. */
const paletteNames = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
  "brightBlack",
  "brightRed",
  "brightGreen",
  "brightYellow",
  "brightBlue",
  "brightMagenta",
  "brightCyan",
  "brightWhite",
] as const;

/**
 * Reads the colors of the current theme. `probe` is any element in the document: the variables use
 * `light-dark()`, which only a color of an element resolves.
 */
export function readTerminalColors(probe: HTMLElement): ITheme {
  const before = probe.style.color;
  const resolve = (variable: string) => {
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  };
  const palette = paletteNames.map((name, index) => [name, resolve(`--terminal-${index}`)]);
  const theme: ITheme = {
    ...Object.fromEntries(palette),
    background: resolve("--canvas"),
    foreground: resolve("--fg"),
    cursor: resolve("--accent"),
    cursorAccent: resolve("--canvas"),
    selectionBackground: resolve("--terminal-match"),
    selectionForeground: resolve("--fg"),
  };
  probe.style.color = before;
  return theme;
}

/** The contrast that text must have at least: programs choose colors for another background. */
export function minimumContrast(): number {
  return document.documentElement.dataset.theme === "contrast" ? 7 : 4.5;
}

/** Calls back when the theme or the text size may have changed. Returns a function that stops it. */
export function onAppearanceChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    dark.removeEventListener("change", listener);
  };
}
