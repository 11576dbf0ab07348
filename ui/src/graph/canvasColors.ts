import type { Color } from "@/api/bindings";
import { colors } from "@/plan/groups";
import type { LineAppearance, NodeAppearance } from "./appearances";
import type { Mark } from "./marks";

/** Everything that a drawing of the plan needs a color for. */
type CanvasColorName =
  | NodeAppearance
  | LineAppearance
  | Mark
  | "surface"
  | "border"
  | "text"
  | "paper";

/** How something looks that a person gave a color. */
interface Tint {
  /** The frame of a group: inside, and its border. */
  ground: string;
  border: string;
  /** A note or collapsed group: the same. */
  paper: string;
  edge: string;
  /** Either of them where it is no more than a block. */
  block: string;
}

/** The colors of the theme as a canvas takes them. */
export type CanvasColors = Record<CanvasColorName, string> & { tints: Record<Color, Tint> };

const cssVariables: Record<CanvasColorName, string> = {
  pending: "--state-pending",
  blocked: "--state-blocked",
  running: "--state-running",
  waiting: "--state-waiting",
  done: "--state-done",
  failed: "--state-failed",
  interrupted: "--state-interrupted",
  skipped: "--state-skipped",
  untouched: "--block-untouched",
  disabled: "--block-disabled",
  note: "--note-paper",
  edge: "--edge",
  path: "--accent-fg",
  passed: "--line",
  failure: "--state-failed",
  critical: "--fg",
  troubled: "--danger",
  found: "--found",
  selected: "--accent",
  surface: "--surface",
  border: "--line-strong",
  text: "--fg",
  paper: "--note-line",
};

const tintCssVariables: Record<keyof Tint, string> = {
  ground: "--frame-ground",
  border: "--frame-border",
  paper: "--tinted-paper",
  edge: "--tinted-border",
  block: "--tinted-block",
};

/** Reads the colors off an element; the style sheet alone knows which theme it is. */
export function readCanvasColors(probe: HTMLElement): CanvasColors {
  const style = getComputedStyle(probe);
  const readAll = <Name extends string>(names: Record<Name, string>) => {
    const read = (variable: string) => {
      probe.style.color = `var(${variable})`;
      return style.color;
    };
    const found = Object.entries<string>(names).map(([name, variable]) => [name, read(variable)]);
    return Object.fromEntries(found) as Record<Name, string>;
  };
  const canvasColors = readAll(cssVariables);
  const tints = colors.map((colour) => {
    probe.dataset.colour = colour;
    return [colour, readAll(tintCssVariables)] as const;
  });
  delete probe.dataset.colour;
  probe.style.color = "";
  return { ...canvasColors, tints: Object.fromEntries(tints) as Record<Color, Tint> };
}

/** Calls back whenever the colors may have changed, until the returned function is called. */
export function onThemeChange(react: () => void): () => void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(react);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  dark.addEventListener("change", react);
  return () => {
    observer.disconnect();
    dark.removeEventListener("change", react);
  };
}
