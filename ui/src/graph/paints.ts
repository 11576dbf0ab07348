import type { LineLook, NodeLook } from "./looks";

/** Everything that a drawing of the plan needs a colour for. */
export type Paint = NodeLook | LineLook | "selected" | "surface" | "border" | "text" | "paper";

const variables: Record<Paint, string> = {
  pending: "--state-pending",
  blocked: "--state-blocked",
  running: "--state-running",
  waiting: "--state-waiting",
  done: "--state-done",
  failed: "--state-failed",
  interrupted: "--state-interrupted",
  skipped: "--state-skipped",
  untouched: "--block-untouched",
  note: "--note-paper",
  edge: "--edge",
  path: "--accent-fg",
  passed: "--line",
  failure: "--state-failed",
  selected: "--accent",
  surface: "--surface",
  border: "--line-strong",
  text: "--fg",
  paper: "--note-line",
};

/** The colours of the theme as a canvas takes them; the style sheet alone knows which theme it is. */
export function paintsOf(probe: HTMLElement): Record<Paint, string> {
  const style = getComputedStyle(probe);
  const read = (variable: string) => {
    probe.style.color = `var(${variable})`;
    return style.color;
  };
  const paints = Object.entries(variables).map(([paint, variable]) => [paint, read(variable)]);
  probe.style.color = "";
  return Object.fromEntries(paints) as Record<Paint, string>;
}

/** Calls back whenever the colours may have changed, until the returned function is called. */
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
