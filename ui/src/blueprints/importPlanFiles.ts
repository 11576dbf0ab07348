import { create } from "zustand";
import { ApiError } from "@/api/ApiError";
import type { Backend, FileKind, PickedFile } from "@/api/Backend";
import type { PlanImported } from "@/api/bindings";
import { showToast } from "@/components/toasts";
import { paths } from "@/shell/paths";

/** What a plan file may be called. */
export const planFileKinds: FileKind[] = [
  { name: "Baton blueprint", extensions: ["yaml", "yml", "json", "mmd", "mermaid"] },
];

/** What is said while files hover over the page. */
export const importDropHint = "Drop to import as blueprints";

/** What became of one file. */
export type ImportResult = { file: string } & (
  | { kind: "imported"; imported: PlanImported }
  /** Each line is a fault with its place; none when the file could not even be read. */
  | { kind: "refused"; message: string; faults: readonly string[] }
);

interface Imports {
  results: readonly ImportResult[];
  busy: boolean;
}

/** The last files that were given, until others are given. */
export const useImports = create<Imports>(() => ({ results: [], busy: false }));

/** Takes in each file by itself: one that has a fault leaves nothing behind and does not hold back the others. */
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

/** Takes in files and answers where the person has to look: the blueprint when all is well, else the list of faults. */
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
    const message = "A blueprint is a .yaml, .yml or .json file, or a flowchart as .mmd.";
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
  return /\.(ya?ml|json|mmd|mermaid)$/i.test(name);
}

/** A file's name without its folders. */
function baseName(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? name;
}

/** A fault as it is told, `file:line:col: sentence`, in its parts. What has no place is all sentence. */
export function parseFault(fault: string): { place: string | undefined; sentence: string } {
  const [, line, column, sentence] = /^.*?:(\d+):(\d+):\s*(.*)$/s.exec(fault) ?? [];
  if (sentence === undefined) return { place: undefined, sentence: fault };
  return { place: `${line}:${column}`, sentence };
}
