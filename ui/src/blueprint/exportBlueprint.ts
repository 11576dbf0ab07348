import type { Backend, FileKind } from "@/api/Backend";
import type { ExportFormat, NodeId, Plan, RunId } from "@/api/bindings";
import { defaultDirection } from "@/plan/geometry";
import { renderPng } from "./renderPng";

/** As what a blueprint leaves the window; a picture of pixels is made of the one of lines. */
export type ExportTarget = ExportFormat | "png";

/** The choices in the order of lists, with the name of their kind for dialogs. */
export const exportFormats: readonly { as: ExportTarget; label: string; kind: FileKind }[] = [
  { as: "yaml", label: "YAML", kind: { name: "Baton blueprint", extensions: ["yaml"] } },
  { as: "json", label: "JSON", kind: { name: "Baton blueprint", extensions: ["json"] } },
  { as: "markdown", label: "Markdown", kind: { name: "Markdown", extensions: ["md"] } },
  { as: "mermaid", label: "Mermaid", kind: { name: "Mermaid", extensions: ["mmd"] } },
  { as: "dot", label: "DOT (Graphviz)", kind: { name: "Graphviz", extensions: ["dot"] } },
  { as: "svg", label: "Image (SVG)", kind: { name: "Image", extensions: ["svg"] } },
  { as: "png", label: "Image (PNG)", kind: { name: "Image", extensions: ["png"] } },
];

/** What is written out, as it stands on the canvas. */
export interface ExportInput {
  plan: Plan;
  /** The run that is shown: its states go with what has colors. */
  run: RunId | undefined;
  /** These nodes alone; all when left out. */
  nodes?: readonly NodeId[] | undefined;
  /** Light on dark. */
  dark: boolean;
}

/** Whether the window is dark now, by its theme or its system. */
export function isDark(): boolean {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  if (scheme === "dark" || scheme === "light") return scheme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Writes it out as a text. */
export async function renderExport(
  backend: Pick<Backend, "call">,
  { plan, run, nodes, dark }: ExportInput,
  format: ExportFormat,
) {
  return backend.call("plan_draw", {
    plan,
    format,
    run: run ?? null,
    nodes: nodes ? [...nodes] : null,
    direction: plan.direction ?? defaultDirection,
    dark,
  });
}

/** Writes it out and puts it where the person wants it. By itself the dialog stands at the plan's directory. Answers the place; nothing when they close it. */
export async function saveExport(
  backend: Pick<Backend, "call" | "saveText" | "saveBytes">,
  what: ExportInput,
  as: ExportTarget,
): Promise<string | undefined> {
  const kinds = exportFormats.filter((choice) => choice.as === as).map(({ kind }) => kind);
  const folder = what.plan.cwd;
  if (as !== "png") {
    const file = await renderExport(backend, what, as);
    return backend.saveText({ name: file.fileName, folder }, file.text, kinds);
  }
  const file = await renderExport(backend, what, "svg");
  const picture = await renderPng(file.text);
  return backend.saveBytes({ name: file.fileName.replace(/svg$/, "png"), folder }, picture, kinds);
}
