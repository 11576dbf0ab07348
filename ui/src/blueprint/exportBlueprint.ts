import type { Backend, FileKind } from "@/api/Backend";
import type { ExportFormat, NodeId, Plan, RunId } from "@/api/bindings";
import { defaultDirection } from "@/plan/geometry";
import { renderPng } from "./renderPng";

/** The export formats of the window. PNG is rendered here from the SVG. */
export type ExportTarget = ExportFormat | "png";

/** The formats in menu order, with the file kind for save dialogs. */
export const exportFormats: readonly { as: ExportTarget; label: string; kind: FileKind }[] = [
  { as: "yaml", label: "YAML", kind: { name: "Baton blueprint", extensions: ["yaml"] } },
  { as: "json", label: "JSON", kind: { name: "Baton blueprint", extensions: ["json"] } },
  { as: "markdown", label: "Markdown", kind: { name: "Markdown", extensions: ["md"] } },
  { as: "mermaid", label: "Mermaid", kind: { name: "Mermaid", extensions: ["mmd"] } },
  { as: "dot", label: "DOT (Graphviz)", kind: { name: "Graphviz", extensions: ["dot"] } },
  {
    as: "github_issues",
    label: "GitHub issues",
    kind: { name: "GitHub issues", extensions: ["jsonl"] },
  },
  { as: "svg", label: "Image (SVG)", kind: { name: "Image", extensions: ["svg"] } },
  { as: "png", label: "Image (PNG)", kind: { name: "Image", extensions: ["png"] } },
];

/** What is exported, as shown on the canvas. */
export interface ExportInput {
  plan: Plan;
  /** The shown run. Formats with colors include its states. */
  run: RunId | undefined;
  /** Only these nodes; all if undefined. */
  nodes?: readonly NodeId[] | undefined;
  /** Whether to render light on dark. */
  dark: boolean;
}

/** Returns whether the window is dark, by its theme or the system. */
export function isDark(): boolean {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  if (scheme === "dark" || scheme === "light") return scheme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Renders a text format. */
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

/**
 * Saves the export where the save dialog says, which starts in the plan's directory. Returns the
 * path, undefined if canceled.
 */
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
