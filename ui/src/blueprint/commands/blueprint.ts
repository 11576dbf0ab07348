import { ApiError } from "@/api/ApiError";
import type { blueprintCommands } from "@/commands/catalogue/blueprint";
import type { ActsFor } from "@/commands/command";
import { showToast } from "@/components/toasts";
import type { Blueprint } from "@/plan/blueprintContext";
import { clipboardWrite } from "@/plan/clipboardText";
import { phaseOf } from "@/plan/runFacts";
import { paths } from "@/shell/paths";
import { drawn, type Exported, exportChoices, isDark, saveExport } from "../exports";
import type { Surroundings } from "./surroundings";

/** What concerns the open blueprint as a whole. */
export function blueprintActs(
  { editor, page }: Blueprint,
  surroundings: Surroundings,
): ActsFor<typeof blueprintCommands> {
  return {
    rename_plan: { run: () => page.setState({ titling: true }) },
    plan_settings: {
      run: () => {
        editor.getState().select([]);
        page.setState({ sideOpen: true });
      },
    },
    explain_plan: {
      run: () => {
        const { id, title } = editor.getState().plan;
        page.setState({
          order: { ask: "explain", plan: id, node: null, title: title || "Untitled" },
        });
      },
    },
    duplicate_plan: {
      run: () =>
        attempt("The blueprint was not duplicated", async () => {
          const { backend, go } = surroundings;
          const { plan } = await backend.call("plan_duplicate", { plan: await saved(editor) });
          go(paths.blueprint(plan.id));
        }),
    },
    star_plan: {
      words: () => (surroundings.star.isThere() ? "Remove the star" : "Star this blueprint"),
      run: () => {
        const there = !surroundings.star.isThere();
        surroundings.star.put(there);
        page.setState({ announcement: there ? "Starred" : "The star is removed" });
      },
    },
    export_plan: {
      choices: () =>
        exportChoices.map(({ as, words }) => ({
          id: as,
          words,
          run: () =>
            attempt("The blueprint was not exported", async () => {
              const place = await saveExport(surroundings.backend, onCanvas(editor), as);
              if (place) showToast({ kind: "info", title: "Blueprint exported", detail: place });
            }),
        })),
    },
    export_selection: {
      refusal: () =>
        editor.getState().selection.size === 0 ? "Select what shall be exported first" : undefined,
      choices: () =>
        exportChoices
          .filter(({ as }) => as !== "yaml" && as !== "json")
          .map(({ as, words }) => ({
            id: as,
            words,
            run: () =>
              attempt("The selection was not exported", async () => {
                const nodes = [...editor.getState().selection];
                const what = { ...onCanvas(editor), nodes };
                const place = await saveExport(surroundings.backend, what, as);
                if (place) showToast({ kind: "info", title: "Selection exported", detail: place });
              }),
          })),
    },
    copy_plan: {
      choices: () =>
        exportChoices
          .flatMap(({ as, words }) => (as === "png" ? [] : [{ as, words }]))
          .map(({ as, words }) => ({
            id: as,
            words,
            run: () =>
              attempt("The blueprint was not copied", async () => {
                const { text } = await drawn(surroundings.backend, onCanvas(editor), as);
                if (await clipboardWrite(text))
                  showToast({ kind: "info", title: `Blueprint copied as ${words}` });
              }),
          })),
    },
    compare_versions: {
      refusal: () =>
        editor.getState().view.version > 1 ? undefined : "There is one version so far",
      run: () => surroundings.go(paths.compare(editor.getState().plan.id)),
    },
    delete_plan: {
      refusal: () =>
        phaseOf(editor.getState().run) === "idle" ? undefined : "A run goes on; stop it first",
      run: () => page.setState({ deleting: true }),
    },
  };
}

/** The plan's id, once the backend has the working copy. */
async function saved(editor: Blueprint["editor"]): Promise<string> {
  if (await editor.getState().flush()) return editor.getState().plan.id;
  const { saveMessage } = editor.getState();
  throw new ApiError("refused", saveMessage ?? "It is not saved yet. Mend what the header names.");
}

/** The plan and its run as they are shown, saved or not. */
function onCanvas(editor: Blueprint["editor"]): Exported {
  const { plan, run } = editor.getState();
  return { plan, run: run?.summary.id, dark: isDark() };
}

async function attempt(failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    showToast({ kind: "error", title: failure, detail: ApiError.from(cause).message });
  }
}
