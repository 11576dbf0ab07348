import type { Backend, FileKind } from "@/api/Backend";
import type { ExportFormat, NodeId, Plan, RunId } from "@/api/bindings";
import { usualReading } from "@/plan/geometry";
import { pngOf } from "./png";

/** As what a blueprint leaves the window; a picture of pixels is made of the one of lines. */
export type ExportAs = ExportFormat | "png";

/** The choices in the order of lists, with the name of their kind for dialogs. */
export const exportChoices: readonly { as: ExportAs; words: string; kind: FileKind }[] = [
  { as: "yaml", words: "YAML", kind: { name: "Baton blueprint", extensions: ["yaml"] } },
  { as: "json", words: "JSON", kind: { name: "Baton blueprint", extensions: ["json"] } },
  { as: "markdown", words: "Markdown", kind: { name: "Markdown", extensions: ["md"] } },
  { as: "mermaid", words: "Mermaid", kind: { name: "Mermaid", extensions: ["mmd"] } },
  { as: "dot", words: "DOT (Graphviz)", kind: { name: "Graphviz", extensions: ["dot"] } },
  { as: "svg", words: "Picture (SVG)", kind: { name: "Picture", extensions: ["svg"] } },
  { as: "png", words: "Picture (PNG)", kind: { name: "Picture", extensions: ["png"] } },
];

/** What is written out, as it stands on the canvas. */
export interface Exported {
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
export async function drawn(
  backend: Pick<Backend, "call">,
  { plan, run, nodes, dark }: Exported,
  format: ExportFormat,
) {
  return backend.call("plan_draw", {
    plan,
    format,
    run: run ?? null,
    nodes: nodes ? [...nodes] : null,
    direction: plan.direction ?? usualReading,
    dark,
  });
}

/** Writes it out and puts it where the person wants it. By itself the dialog stands at the plan's directory. Answers the place; nothing when they close it. */
export async function saveExport(
  backend: Pick<Backend, "call" | "saveText" | "saveBytes">,
  what: Exported,
  as: ExportAs,
): Promise<string | undefined> {
  const kinds = exportChoices.filter((choice) => choice.as === as).map(({ kind }) => kind);
  const folder = what.plan.cwd;
  if (as !== "png") {
    const file = await drawn(backend, what, as);
    return backend.saveText({ name: file.fileName, folder }, file.text, kinds);
  }
  const file = await drawn(backend, what, "svg");
  const picture = await pngOf(file.text);
  return backend.saveBytes({ name: file.fileName.replace(/svg$/, "png"), folder }, picture, kinds);
}
