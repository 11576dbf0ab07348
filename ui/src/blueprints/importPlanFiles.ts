import { create } from "zustand";
import { ApiError } from "@/api/ApiError";
import type { Backend, FileKind, PickedFile } from "@/api/Backend";
import type { PlanImported } from "@/api/bindings";
import { showToast } from "@/components/toasts";
import { paths } from "@/shell/paths";

/** The extensions of plan files, for the file picker. */
export const planFileKinds: FileKind[] = [
  { name: "Baton blueprint", extensions: ["yaml", "yml", "json", "mmd", "mermaid", "md", "jsonl"] },
];

/** The hint while files are dragged over the page. */
export const importDropHint = "Drop to import as blueprints";

/** The result of importing one file. */
export type ImportResult = { file: string } & (
  | { kind: "imported"; imported: PlanImported }
  /** `faults` has one line per error, with its position. It is empty if the file can't be read. */
  | { kind: "refused"; message: string; faults: readonly string[] }
);

interface Imports {
  results: readonly ImportResult[];
  busy: boolean;
}

/** The results of the latest import. */
export const useImports = create<Imports>(() => ({ results: [], busy: false }));

/** Imports each file separately: errors in one create nothing and do not block the others. */
async function importEach(
  backend: Pick<Backend, "call">,
  files: readonly PickedFile[],
): Promise<readonly ImportResult[]> {
  useImports.setState({ busy: true, results: [] });
  const results: ImportResult[] = [];
  for (const file of files) results.push(await importFile(backend, file));
  useImports.setState({ busy: false, results });
  return results;
}

/**
 * Imports files and returns the path to open: the blueprint, or the list of errors and warnings.
 */
export async function importPlanFiles(
  backend: Pick<Backend, "call">,
  files: readonly PickedFile[],
): Promise<string> {
  const results = await importEach(backend, files);
  const [first] = results;
  const clean = results.every(
    (result) => result.kind === "imported" && result.imported.warnings.length === 0,
  );
  if (!clean || first?.kind !== "imported") return paths.newBlueprintFrom("import");
  showToast({
    kind: "info",
    title: results.length === 1 ? "Blueprint imported" : `${results.length} blueprints imported`,
  });
  return results.length === 1 ? paths.blueprint(first.imported.plan.plan.id) : paths.blueprints;
}

async function importFile(
  backend: Pick<Backend, "call">,
  { name, read }: PickedFile,
): Promise<ImportResult> {
  const file = baseName(name);
  if (!isPlanFile(name)) {
    const message =
      "A plan file ends in .yaml, .yml or .json, in .mmd for a flowchart, or in .md or .jsonl for a task list.";
    return { kind: "refused", file, message, faults: [] };
  }
  try {
    const text = await read();
    const imported = await backend.call("plan_import", { fileName: name, text, cwd: null });
    return { kind: "imported", file, imported };
  } catch (cause) {
    const { message, faults } = ApiError.from(cause);
    return { kind: "refused", file, message, faults };
  }
}

function isPlanFile(name: string): boolean {
  return /\.(ya?ml|json|mmd|mermaid|md|jsonl)$/i.test(name);
}

/** Returns a file's name without its folders. */
function baseName(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? name;
}

/**
 * Splits an error of the form `file:line:col: sentence`. Without a position, all of it is the
 * sentence.
 */
export function parseFault(fault: string): { place: string | undefined; sentence: string } {
  const [, line, column, sentence] = /^.*?:(\d+):(\d+):\s*(.*)$/s.exec(fault) ?? [];
  if (sentence === undefined) return { place: undefined, sentence: fault };
  return { place: `${line}:${column}`, sentence };
}
