import type { Color } from "@/api/bindings";
import { colors } from "@/plan/groups";
import type { LineAppearance, NodeAppearance } from "./appearances";
import type { Mark } from "./marks";

/** Everything on a painted plan that has a color. */
type CanvasColorName =
  | NodeAppearance
  | LineAppearance
  | Mark
  | "surface"
  | "border"
  | "text"
  | "paper";

/** The shades of one user-chosen color. */
interface Tint {
  /** The background and border of a group frame. */
  ground: string;
  border: string;
  /** The background and border of a note or a collapsed group. */
  paper: string;
  edge: string;
  /** A note or collapsed group painted as a plain block. */
  block: string;
}

/** The theme's colors in the form that a canvas needs. */
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
  carried: "--edge-carried",
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

/** Reads the colors by way of an element, because only the style sheet knows the theme. */
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
  const tints = colors.map((color) => {
    probe.dataset.color = color;
    return [color, readAll(tintCssVariables)] as const;
  });
  delete probe.dataset.color;
  probe.style.color = "";
  return { ...canvasColors, tints: Object.fromEntries(tints) as Record<Color, Tint> };
}

/** Calls `react` whenever the colors may have changed, until the returned function is called. */
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
